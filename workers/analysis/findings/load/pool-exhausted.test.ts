import { expect, test } from 'vitest';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallTrial } from '../shared/small-run.fixture.ts';
import { poolExhausted } from './pool-exhausted.ts';

const refused = {
  kind: 'connectionLimit',
  code: '53300',
  message: 'sorry, too many clients already',
  hint: 'Raise max_connections.',
  retryable: true,
} as const;
const ok: SmallTrial = { perSecond: [9_000, 9_000, 9_000] };
const failed: SmallTrial = { perSecond: [0], status: 'failed', error: refused };
const seen = (sessions: readonly number[]): SmallTrial => ({
  ...ok,
  samples: sessions.map((one) => ({ gauges: { sessions: one } })),
});
const run = (trials: readonly SmallTrial[], connections = 64) =>
  judged(poolExhausted, { cells: [{ settings: { connections }, trials }] });

test('trials that a limit made fail, in the words of the server', () => {
  const { facts, outcomes } = run([ok, failed, failed]);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'certain', explains: 2 / 3, advice: refused.hint });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringContaining(refused.message) as string });
  expect(pictureText(outcomes[0])).toMatch(/^Trials of this cell: failed for a limit 66\.7\s%, others 33\.3\s%$/);
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  expect(run([failed]).outcomes[0]?.status).toBe('shown');
});

test('calls that it made fail', () => {
  const { outcomes } = run([{ ...ok, error: refused, errors: { connectionLimit: 300 } }]);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'certain' });
});

test('fewer sessions at the server than connections: something hands them out', () => {
  const { facts, outcomes } = run([seen([20, 20, 19, 20])]);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely', explains: 1 - 20 / 64 });
  expect(pictureText(outcomes[0])).toBe('Sessions: Connections set 64, Most sessions at the server 20');
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('silent where each connection has a session, and where nothing was counted', () => {
  const status = (trial: SmallTrial, connections?: number) => run([trial], connections).outcomes[0]?.status;
  expect(status(seen([64, 64, 64, 63]))).toBe('notShown');
  expect(status(seen([1, 1, 1]), 1)).toBe('notShown');
  const why = (connections: number) => run([seen([connections, connections, connections])], connections).outcomes[0];
  expect(why(1)).toMatchObject({ why: 'Its connection had a session of its own.' });
  expect(why(64)).toMatchObject({ why: 'All 64 connections had sessions of their own.' });
  expect(status(seen([0, 0, 0]))).toBe('cannotTell');
  expect(status(ok)).toBe('cannotTell');
  expect(status({ ...failed, error: { ...refused, kind: 'permission' } })).toBe('notShown');
});

test('is silent for limits of another kind, for instance on the bytes of a message', () => {
  const tooLong = {
    ...refused,
    kind: 'limit',
    code: '1153',
    message: 'A call is longer than max_allowed_packet.',
  } as const;
  expect(run([{ ...failed, error: tooLong }]).outcomes[0]).toMatchObject({ status: 'notShown' });
  expect(run([{ ...ok, error: tooLong, errors: { limit: 300 } }]).outcomes[0]?.status).not.toBe('shown');
});

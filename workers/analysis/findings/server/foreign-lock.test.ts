import { expect, test } from 'vitest';
import type { ForeignLock } from '#engine-api/probe.ts';
import { judged, type SmallCell } from '../shared/small-run.fixture.ts';
import { contention } from './contention.ts';
import { foreignLock } from './foreign-lock.ts';

const probeInfo = {
  running: { unit: 'count', label: 'Running', class: 'cpu' },
  'wait:Lock*': { unit: 'count', label: 'Locks', class: 'lock' },
} as const;

const outsider = (waiting: number, heldMs: number | null = 42_000): ForeignLock => ({
  holder: 'psql · user alice · session 4711',
  waiting,
  heldMs,
});

/** Sixteen connections over eleven samples, the first of them before the measured phase. */
const cell = (
  gauges: Readonly<Record<string, number>>,
  foreignLocks: (sample: number) => readonly ForeignLock[] | undefined,
): SmallCell => ({
  levels: { connections: 16 },
  trials: [
    {
      perSecond: Array<number>(10).fill(1_000),
      samples: Array.from({ length: 11 }, (_, sample) => {
        const found = foreignLocks(sample);
        return { gauges, ...(found && { foreignLocks: found }) };
      }),
    },
  ],
});
const first = (rule: typeof foreignLock, one: SmallCell) => judged(rule, { cells: [one], probeInfo }).outcomes[0];
const blocked = { running: 2, 'wait:Lock:transactionid': 12 };

test('names the session outside the run, for how long it held, and what share of the time it took', () => {
  const held = cell(blocked, () => [outsider(12)]);
  expect(first(foreignLock, held)).toMatchObject({
    status: 'shown',
    confidence: 'certain',
    explains: 12 / 16,
    claim: expect.stringMatching(
      /psql · user alice · session 4711 held, whose transaction was open for at least 42\.0\ss/,
    ),
  });
});

test('where an outsider holds the locks, the run’s own sessions are not said to wait for each other', () => {
  expect(
    first(
      contention,
      cell(blocked, () => [outsider(12)]),
    ),
  ).toMatchObject({ status: 'cannotTell' });
  expect(
    first(
      contention,
      cell(blocked, () => []),
    ),
  ).toMatchObject({ status: 'shown' });
});

test('a phase without a sample is not a server that reports nothing', () => {
  const short: SmallCell = { levels: { connections: 16 }, trials: [{ perSecond: [9] }] };
  expect(first(foreignLock, short)).toMatchObject({
    status: 'cannotTell',
    why: expect.stringContaining('a longer measured phase has some') as string,
  });
});

test('is silent if the run’s own sessions hold the locks, and for rare or short locks', () => {
  expect(
    first(
      foreignLock,
      cell(blocked, () => []),
    ),
  ).toMatchObject({ status: 'notShown' });
  expect(
    first(
      foreignLock,
      cell(blocked, (sample) => (sample === 5 ? [outsider(12)] : [])),
    ),
  ).toMatchObject({
    status: 'notShown',
  });
  const hardly = cell(blocked, (sample) => (sample % 4 === 0 ? [outsider(1)] : []));
  expect(first(foreignLock, hardly)).toMatchObject({ status: 'notShown' });
});

test('cannot tell where the server does not name who holds the locks, or reports no waits', () => {
  expect(
    first(
      foreignLock,
      cell(blocked, () => undefined),
    ),
  ).toMatchObject({
    status: 'cannotTell',
    why: expect.stringContaining('did not name the sessions that held them'),
  });
  expect(
    first(
      foreignLock,
      cell({}, () => undefined),
    ),
  ).toMatchObject({
    status: 'cannotTell',
    why: expect.stringContaining('or the counters may not be read'),
  });
});

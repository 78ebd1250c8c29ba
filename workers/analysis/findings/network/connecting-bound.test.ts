import { expect, test } from 'vitest';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallTrial } from '../shared/small-run.fixture.ts';
import { connectingBound } from './connecting-bound.ts';

/** A trial whose sessions took this long to open, beside 500 ms in its calls. */
const trialOf = (sessions: number, openMs: number, rows: number): SmallTrial => ({
  perSecond: [rows, rows, rows],
  counts: {
    connecting: {
      opened: timesOf([openMs, sessions]),
      failed: 0,
      endMs: sessions * 0.1,
      openMs: sessions * openMs,
      prepareMs: 0,
    },
  },
  health: { inCallsMs: 500, transactionMs: 0 },
});
const three = (trial: SmallTrial): readonly SmallTrial[] => [trial, trial, trial];
const run = (trial: SmallTrial, kept?: readonly SmallTrial[]) =>
  judged(connectingBound, {
    cells: [
      { levels: { callsPerConnection: 1 }, trials: three(trial) },
      ...(kept ? [{ levels: { callsPerConnection: 0 }, trials: kept }] : []),
    ],
  });

test('most of the time goes into connecting, and kept connections are faster', () => {
  const kept = [1_000, 1_010, 990].map((rows): SmallTrial => ({ perSecond: [rows, rows, rows] }));
  const { facts, outcomes } = run(trialOf(300, 5, 100), kept);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'certain' });
  expect(outcomes[0]).toMatchObject({
    claim: expect.stringMatching(
      /75\.\d.% of the time went into connecting; 900 sessions were opened, each for one call/,
    ),
  });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringContaining('with connections that are kept') as string });
  expect(pictureText(outcomes[0])).toMatch(/^Time of the connections: connecting 75\.\d\s%, calls and transactions/);
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  expect(outcomes[1]).toMatchObject({ status: 'notShown', why: 'It keeps its connections.' });
});

test('without another variant, the share alone makes it likely', () => {
  expect(run(trialOf(300, 5, 100)).outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
});

test('silent where calls take most of the time', () => {
  expect(run(trialOf(300, 0.5, 100)).outcomes[0]).toMatchObject({
    status: 'notShown',
    why: expect.stringMatching(/^Connecting took 2\d\.\d.% of the connections’ time\.$/),
  });
});

test('cannot tell with few sessions', () => {
  expect(run(trialOf(5, 500, 100)).outcomes[0]?.status).toBe('cannotTell');
});

import { expect, test } from 'vitest';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallCell } from '../shared/small-run.fixture.ts';
import { commitBound } from './commit-bound.ts';
import { contention } from './contention.ts';

const probeInfo = {
  running: { unit: 'count', label: 'Running', class: 'cpu' },
  'wait:Lock*': { unit: 'count', label: 'Locks', class: 'lock' },
  'wait:LWLock*': { unit: 'count', label: 'Latches', class: 'latch' },
  latch_ms: { unit: 'ms', label: 'Waited for PAGELATCH_EX', class: 'latch' },
  cpu_ms: { unit: 'ms', label: 'CPU', class: 'cpu' },
  log_ms: { unit: 'ms', label: 'Log', class: 'log' },
} as const;

/** This number of sessions in each of 11 samples. */
const sampled = (connections: number, gauges: Readonly<Record<string, number>>): SmallCell => ({
  levels: { connections },
  trials: [{ perSecond: Array(10).fill(1_000) as number[], samples: Array.from({ length: 11 }, () => ({ gauges })) }],
});
const timed = (connections: number, latchMs: number, cpuMs: number): SmallCell => ({
  levels: { connections },
  trials: [
    {
      perSecond: [1_000, 1_000],
      samples: [{ counters: { latch_ms: 7, cpu_ms: 7 } }, { counters: { latch_ms: 7 + latchMs, cpu_ms: 7 + cpuMs } }],
    },
  ],
});
const run = (cells: readonly SmallCell[]) => judged(contention, { cells, probeInfo });

test('locks that rise with the connections, as sampled: likely, by the name of the wait', () => {
  const { facts, outcomes } = run([
    sampled(16, { running: 2, 'wait:Lock:transactionid': 12, 'wait:LWLock:WALWrite': 1 }),
    sampled(1, { running: 1 }),
  ]);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely', explains: 0.8 });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringContaining('Lock:transactionid') as string });
  expect(pictureText(outcomes[0])).toMatch(
    /^The server’s own time: locks 80\.0\s%, processor 13\.3\s%, latches and buffers/,
  );
  expect(outcomes[1]).toMatchObject({ status: 'notShown' });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('latches as the server timed them: certain', () => {
  const { outcomes } = run([timed(16, 1_600, 2_000), timed(2, 20, 2_000)]);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'certain' });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringContaining('PAGELATCH_EX') as string });
});

test('possible where nothing else was measured', () => {
  expect(run([sampled(16, { running: 2, 'wait:Lock:tuple': 12 })]).outcomes[0]).toMatchObject({
    confidence: 'possible',
  });
});

test('silent where it does not rise, is small, or was hardly seen', () => {
  const status = (...cells: readonly SmallCell[]) => run(cells).outcomes[0]?.status;
  expect(
    status(sampled(16, { running: 8, 'wait:Lock:tuple': 2 }), sampled(4, { running: 4, 'wait:Lock:tuple': 1 })),
  ).toBe('notShown');
  expect(status(timed(16, 100, 2_000))).toBe('notShown');
  expect(status(timed(16, 900, 2_000), timed(2, 900, 2_000))).toBe('notShown');
  expect(
    status({
      levels: { connections: 16 },
      trials: [{ perSecond: [9], samples: [{ gauges: {} }, { gauges: { 'wait:Lock:tuple': 9 } }] }],
    }),
  ).toBe('cannotTell');
});

test('cannot be told where so few were sampled that a smaller share looks the same', () => {
  // Four of 40 observations are in locks. With a true share of 5 %, one run of seven shows as many.
  const few = (locks: number): SmallCell => ({
    levels: { connections: 4 },
    trials: [
      {
        perSecond: Array(10).fill(1_000) as number[],
        samples: Array.from({ length: 11 }, (_, i) => ({
          gauges: i > 0 && i <= locks ? { running: 3, 'wait:Lock:tuple': 1 } : { running: 4 },
        })),
      },
    ],
  });
  expect(run([few(4)]).outcomes[0]).toMatchObject({ status: 'cannotTell' });
  expect(run([few(6)]).outcomes[0]).toMatchObject({ status: 'shown', confidence: 'possible' });
});

test('cannot be told where sessions wait together, in a few samples', () => {
  // In 2 of 10 samples all 16 sessions wait. A lock that is held for 5 % of the time meets as many samples in one run
  // of 12.
  const together: SmallCell = {
    levels: { connections: 16 },
    trials: [
      {
        perSecond: Array(10).fill(1_000) as number[],
        samples: Array.from({ length: 11 }, (_, i) => ({
          gauges: i === 3 || i === 7 ? { running: 0, 'wait:Lock:tuple': 16 } : { running: 16 },
        })),
      },
    ],
  };
  expect(run([together]).outcomes[0]).toMatchObject({ status: 'cannotTell' });
});

test('no sample of a server that has the counters: it is the phase that was too short', () => {
  const short: SmallCell = { levels: { connections: 16 }, trials: [{ perSecond: [9] }] };
  const why = (more: Parameters<typeof judged>[1]) => judged(contention, more).outcomes[0];
  expect(why({ cells: [short], probeInfo })).toMatchObject({
    status: 'cannotTell',
    why: expect.stringContaining('a longer measured phase has some') as string,
  });
  expect(why({ cells: [short] })).toMatchObject({ why: 'This server does not report what its time goes into.' });
});

/**
 * In ten seconds the clocks count 2 s of processor and 3 s of the log, and none of the waits of the sampled sessions.
 */
const unclocked = (sessions: number): SmallCell => ({
  levels: { connections: 4 },
  trials: [
    {
      perSecond: Array(10).fill(1_000) as number[],
      samples: Array.from({ length: 11 }, (_, i) => ({
        counters: { cpu_ms: i * 200, log_ms: i * 300 },
        gauges: { running: 1, ...(i > 0 && i <= 3 && { 'wait:Lock:tuple': sessions }) },
      })),
    },
  ],
});

test('cannot be told where sessions waited for locks that the server’s clocks do not contain, as the log’s part', () => {
  const log = (sessions: number) => judged(commitBound, { cells: [unclocked(sessions)], probeInfo }).outcomes[0];
  expect(log(4)).toMatchObject({
    status: 'cannotTell',
    why: expect.stringContaining('timing leaves out') as string,
  });
  expect(log(0)).toMatchObject({ status: 'shown' });
  expect(run([unclocked(4)]).outcomes[0]).toMatchObject({
    status: 'cannotTell',
    why: expect.stringContaining('timing leaves out') as string,
  });
  expect(run([unclocked(0)]).outcomes[0]).toMatchObject({ status: 'notShown' });
});

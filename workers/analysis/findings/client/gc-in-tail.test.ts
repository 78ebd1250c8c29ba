import { describe, expect, it } from 'vitest';
import { type MadeRun, onlyShown, outcomesOf, processTime } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { gcInTail } from './gc-in-tail.ts';

describe('gcInTail', () => {
  /** Ten seconds, 10,000 calls, a fiftieth of them slow; a second of pauses in three seconds of work of the process. */
  const tail = (
    delayedByPauses: number,
    { slowMs = 10, pauses = 40, noProcessorMs = 30, gcMs = 1_000 }: Partial<Record<string, number | null>> = {},
  ): MadeRun => ({
    trial: () => ({
      latencyMs: (call) => (call % 50 === 0 ? slowMs! : 1),
      health: {
        gcMs: gcMs!,
        processTime: processTime({ otherMs: 2_000 }),
        pauses: { gcPauses: 200, gcLongestMs: 8, loopLongestMs: 9, noProcessorMs },
        slowest: { calls: 100, ms: 1_000, pausedMs: 700, delayedByPauses, pauses: pauses! },
      },
    }),
  });
  const statusOf = (run: MadeRun) => outcomesOf(gcInTail, run)[0]!.status;
  it('is certain where most of the slowest calls spent most of their time in pauses', () => {
    const shown = onlyShown(gcInTail, tail(90));
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('450 of the 500 slowest calls');
    expect(pictureText(shown)).toBe('The 500 slowest calls: mostly in pauses of the client 450, others 50');
    expect(shown.picture).toMatchObject({ kind: 'parts', marks: [{ value: 0.9 }, { value: 0.1 }] });
    expect(shown.evidence.map(({ value }) => value)).toEqual([
      500,
      450,
      200,
      0.7,
      expect.closeTo(0.1, 10),
      8,
      150,
      expect.closeTo(10, 1),
      expect.closeTo(1, 1),
    ]);
  });
  it('is likely where pauses may be as long for the lack of a processor, and possible by a pause or two', () => {
    expect(onlyShown(gcInTail, tail(90, { noProcessorMs: null })).confidence).toBe('likely');
    expect(onlyShown(gcInTail, tail(90, { noProcessorMs: 600 })).confidence).toBe('likely');
    expect(onlyShown(gcInTail, { ...tail(90, { pauses: 2 }), repeats: 1 }).confidence).toBe('possible');
  });
  it('is silent where fewer did, where pauses are so many that any calls do, and of a short tail', () => {
    for (const run of [tail(49), tail(60, { gcMs: 3_000 }), tail(90, { slowMs: 2 })])
      expect(statusOf(run)).toBe('notShown');
  });
  it('cannot tell where whatever the processes did took as long for the lack of a processor, and where no call was looked at', () => {
    // Pauses are a third of the work, so they coincide with as many waits for a processor.
    expect(statusOf(tail(60, { gcMs: 1_900, noProcessorMs: 5_000 }))).toBe('cannotTell');
    expect(statusOf({ trial: () => ({ latencyMs: (call) => (call % 50 === 0 ? 10 : 1) }) })).toBe('cannotTell');
  });
});

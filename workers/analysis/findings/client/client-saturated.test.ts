import { describe, expect, it } from 'vitest';
import { type MadeRun, onlyShown, outcomesOf, processTime } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { clientSaturated } from './client-saturated.ts';
import { machineStarved } from './machine-starved.ts';

const busy = (otherMs: number, more: Partial<MadeRun> = {}): MadeRun => ({
  ...more,
  trial: () => ({ health: { processTime: processTime({ otherMs, encodeMs: 0, decodeMs: 0 }) } }),
});

describe('clientSaturated', () => {
  it('names the busy part of the client, and is certain if no time was idle', () => {
    const shown = onlyShown(clientSaturated, {
      trial: () => ({ health: { processTime: processTime({ decodeMs: 6_000, encodeMs: 2_000, otherMs: 1_500 }) } }),
    });
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('95.0 %'.replace(' ', '\u00a0'));
    expect(shown.claim).toContain('decoding answers');
    expect(shown.explains).toBeCloseTo(0.95);
    expect(pictureText(shown)).toMatch(/^Time of the client processes: .*decoding 60\.0\s%, encoding 20\.0\s%/);
  });

  it('begins at 70 % of the time, as likely', () => {
    expect(onlyShown(clientSaturated, busy(7_000)).confidence).toBe('likely');
    expect(outcomesOf(clientSaturated, busy(6_900))[0]).toMatchObject({ status: 'notShown' });
  });

  it('cannot judge trials so short that work around them hides them', () => {
    const short = (elapsedMs: number) =>
      outcomesOf(clientSaturated, { trial: () => ({ ...busy(9_500).trial!({} as never), elapsedMs }) })[0];
    expect(short(6_000)).toMatchObject({ status: 'cannotTell' });
    expect(short(10_000)).toMatchObject({ status: 'shown' });
  });

  it('judges all trials together, and is not certain because of the busiest alone', () => {
    const shown = onlyShown(clientSaturated, {
      trial: ({ repeat }) => ({
        health: {
          processTime: processTime({ otherMs: 6_000, encodeMs: 0, decodeMs: 0 }),
          eventLoopUtilisation: repeat === 1 ? 0.95 : 0.6,
        },
        result: { clientSaturated: repeat === 1 },
      }),
    });
    expect(shown).toMatchObject({ confidence: 'likely', explains: expect.closeTo(0.6, 10) as number });
    expect(shown.claim).toMatch(
      /busy for 60\.0\s% of their time, .*; in the busiest trial, one process was busy for 95\.0\s%\./,
    );
  });

  it('judges stages of the load one by one if the whole run had idle time', () => {
    const ramp = (noProcessorMs: number, seconds = 5): MadeRun => ({
      measure: {
        repeats: 2,
        stages: [
          { name: 'ramp', seconds: 20, from: 0, to: 1 },
          { name: 'all', seconds, from: 1, to: 1 },
        ],
      },
      trial: () => ({
        elapsedMs: (20 + seconds) * 1_000,
        health: {
          processTime: processTime({ encodeMs: 3_000, decodeMs: 0, otherMs: 0 }),
          pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 50, noProcessorMs: 500 },
        },
        healthAt: (second) => ({
          processTime: processTime({ encodeMs: second < 20 ? 2_000 : 8_000, decodeMs: 0, otherMs: 0 }),
          pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 50, noProcessorMs: second < 20 ? 0 : noProcessorMs },
        }),
      }),
    });
    const shown = onlyShown(clientSaturated, ramp(50));
    expect(shown).toMatchObject({ confidence: 'likely', explains: expect.closeTo(0.8, 10) as number });
    expect(shown.claim).toMatch(
      /^In the stage “all” .* busy for 80\.0\s% .*encoding requests.*; over the whole run 30\.0\s%\./,
    );
    expect(outcomesOf(clientSaturated, ramp(600))[0]?.status).toBe('notShown');
    expect(onlyShown(machineStarved, ramp(600)).claim).toMatch(/^In the stage “all” .* 60\.0\s% .* whole run/);
    expect(outcomesOf(clientSaturated, ramp(100, 2))[0]).toMatchObject({ status: 'notShown' });
  });

  it('leaves it to the machine where it was not busy but for waiting for a processor', () => {
    const waiting = (noProcessorMs: number, encodeMs = 8_000): MadeRun => ({
      trial: () => ({
        health: {
          processTime: processTime({ encodeMs, decodeMs: 0, otherMs: 0 }),
          pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 50, noProcessorMs },
        },
      }),
    });
    expect(onlyShown(clientSaturated, waiting(900)).claim).toContain('encoding requests');
    // At least 95 % − 20 % is their own work; the waits may lie in any part of it.
    const own = onlyShown(clientSaturated, waiting(2_000, 9_500)).claim;
    expect(own).toMatch(/busy for 95\.0\s% of their time, 20\.0\s% of it without a processor/);
    expect(own).not.toContain('encoding requests');
    for (const [noProcessorMs, encodeMs] of [
      [3_400, 7_200],
      [2_000, 4_600],
    ] as const)
      expect(outcomesOf(clientSaturated, waiting(noProcessorMs, encodeMs))[0]).toMatchObject({
        status: 'notShown',
        why: expect.stringContaining('short of processors') as string,
      });
    const marked = {
      ...waiting(6_000),
      trial: () => ({ ...waiting(6_000).trial!({} as never), result: { clientSaturated: true } }),
    };
    expect(outcomesOf(clientSaturated, marked)[0], 'the table calls it client-bound').toMatchObject({
      status: 'cannotTell',
    });
    expect(outcomesOf(clientSaturated, waiting(6_000))[0]).toMatchObject({
      status: 'notShown',
      why: expect.stringContaining('waited for a processor for 60.0') as string,
    });
  });

  it('is possible only where more processes brought nothing, and certain where they did', () => {
    const sweep = (gain: number): MadeRun => ({
      workload: { connections: 4 },
      factors: { processes: [1, 2] },
      trial: ({ settings }) => ({
        rate: settings.processes === 2 ? 1_000 * gain : 1_000,
        health: {
          processTime: processTime({ otherMs: settings.processes === 1 ? 9_300 : 1_000, encodeMs: 0, decodeMs: 0 }),
        },
      }),
    });
    expect(onlyShown(clientSaturated, sweep(1)).confidence).toBe('possible');
    expect(onlyShown(clientSaturated, sweep(1.8)).confidence).toBe('certain');
  });

  it('inside the client process looks at the time outside the engine', () => {
    const inside = (engineMs: number): MadeRun => ({
      targets: [{ name: 'library', descriptor: { inProcess: true } }],
      trial: () => ({
        health: { processTime: processTime({ engineMs, encodeMs: 0, decodeMs: 0, otherMs: 10_000 - engineMs }) },
      }),
    });
    expect(outcomesOf(clientSaturated, inside(8_000))[0]).toMatchObject({ status: 'notShown' });
    expect(onlyShown(clientSaturated, inside(5_000)).explains).toBeCloseTo(0.5);
  });

  it('inside the client process, too, leaves it to the machine where waiting for a processor leaves nothing', () => {
    const inside = (noProcessorMs: number): MadeRun => ({
      targets: [{ name: 'library', descriptor: { inProcess: true } }],
      trial: () => ({
        health: {
          processTime: processTime({ engineMs: 5_400, encodeMs: 0, decodeMs: 0, otherMs: 4_600 }),
          pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 50, noProcessorMs },
        },
      }),
    });
    expect(onlyShown(clientSaturated, inside(900)).explains).toBeCloseTo(0.46);
    expect(outcomesOf(clientSaturated, inside(9_500))[0]).toMatchObject({
      status: 'cannotTell',
      why: expect.stringContaining('short of processors') as string,
    });
  });

  it('ignores a reference', () => {
    const targets = [{ name: 'noop', descriptor: { reference: true } }];
    expect(outcomesOf(clientSaturated, busy(9_900, { targets }))).toEqual([]);
  });
});

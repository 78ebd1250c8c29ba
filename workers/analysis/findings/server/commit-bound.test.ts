import { describe, expect, it } from 'vitest';
import { type MadeRun, onlyShown, outcomesOf } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { commitBound } from './commit-bound.ts';

const nbsp = '\u00a0';

describe('commitBound', () => {
  const sampled = (log: number, cpu: number, fewer: number | null = null): MadeRun => ({
    factors: fewer === null ? {} : { callsPerCommit: [1, 100] },
    targets: [
      {
        name: 'server',
        probeInfo: {
          'wait:IO:WalSync': { unit: 'count', label: 'WAL sync', class: 'log' },
          'wait:cpu': { unit: 'count', label: 'running', class: 'cpu' },
        },
      },
    ],
    trial: ({ settings }) =>
      settings.callsPerCommit === 1
        ? { gauges: { 'wait:IO:WalSync': log, 'wait:cpu': cpu } }
        : { rate: 1_000 * fewer!, gauges: { 'wait:IO:WalSync': 0, 'wait:cpu': 4 } },
  });
  it('is likely by the server’s waits alone, certain with a variant that commits less often', () => {
    expect(onlyShown(commitBound, sampled(3, 1)).confidence).toBe('likely');
    const both = onlyShown(commitBound, sampled(3, 1, 10));
    expect(both.confidence).toBe('certain');
    expect(both.claim).toContain(`75.0${nbsp}%`);
    expect(pictureText(both)).toMatch(/^The server’s own time: log and commit 75\.0\s%, processor 25\.0\s%$/);
    expect(pictureText(onlyShown(commitBound, sampled(1, 3, 10)))).toBe(
      'Throughput (rows/s): this cell 1.00k, with Calls per commit 100 10.0k',
    );
    expect(both.evidence.map(({ label }) => label)).toContain('IO:WalSync, sessions × time');
  });
  it('is silent where the log is less than half and fewer commits bring nothing', () => {
    expect(outcomesOf(commitBound, sampled(1, 3, 1)).map(({ status }) => status)).toEqual(['notShown', 'notShown']);
  });
  it('is only possible where fewer commits brought nothing', () => {
    expect(onlyShown(commitBound, sampled(3, 1, 1)).confidence).toBe('possible');
  });
  it('cannot tell where the server does not, and is silent for reads', () => {
    expect(outcomesOf(commitBound, {})[0]).toMatchObject({
      status: 'cannotTell',
      why: 'This server does not report what its time goes into. No other variant commits less often.',
    });
    expect(outcomesOf(commitBound, { ...sampled(3, 1), trial: () => ({}) })[0]).toMatchObject({
      status: 'cannotTell',
      why: expect.stringContaining('a longer measured phase has some') as string,
    });
    expect(outcomesOf(commitBound, { workload: { operation: 'readByKey' } })[0]!.status).toBe('notShown');
  });

  describe('with the syncs of the disk', () => {
    const storage = { measure: 'overwriteSync', fileSystem: 'ext4', throughCache: false, targets: ['server'] } as const;
    const disk = (perSecond: number, more: Partial<typeof storage | { targets: readonly string[] }> = {}) => ({
      ...{ kind: 'storage', target: null, label: 'synced', perSecond, unit: 'syncs', p50Us: 1, p99Us: 2 },
      ...{ measuredAt: '2026-11-20T08:00:00Z', storage: { ...storage, ...more } },
    });
    /** A server with 920 flushes/s in 10 seconds, whose log takes a share of its time. */
    const flushing = (calibration: readonly unknown[], log = 3): MadeRun => {
      const { targets: [server] = [], ...made } = sampled(log, 1);
      return {
        ...made,
        calibration: calibration as NonNullable<MadeRun['calibration']>,
        targets: [
          {
            ...server!,
            probeInfo: { ...server!.probeInfo, flushes: { unit: 'count', label: 'Log flushes', role: 'logFlushes' } },
          },
        ],
        trial: (of) => ({ ...made.trial!(of), result: { probeDelta: { flushes: 9_200 } } }),
      };
    };
    const evidenceOf = (made: MadeRun) =>
      onlyShown(commitBound, made).evidence.find(({ label }) => label.includes('syncs of its disk'))?.text;

    it('says that the flushes reach the ceiling of the disk, where they do', () => {
      const { claim } = onlyShown(commitBound, flushing([disk(1_000)]));
      expect(claim).toContain(
        `its 920 flushes per second are 92.0${nbsp}% of the 1.00k syncs that its disk finishes one after another`,
      );
      expect(evidenceOf(flushing([disk(1_000)]))).toBe(`92.0${nbsp}%`);
    });
    it('claims nothing of a disk that could sync far more often', () => {
      expect(onlyShown(commitBound, flushing([disk(4_000)])).claim).not.toContain('disk');
      expect(evidenceOf(flushing([disk(4_000)]))).toBe(`23.0${nbsp}%`);
    });
    it('cannot tell where the server flushed more often than the disk synced', () => {
      expect(onlyShown(commitBound, flushing([disk(500)])).claim).not.toContain('disk');
      expect(evidenceOf(flushing([disk(500)]))).toBe(
        'cannot tell: 920 flushes/s exceed the 500 syncs/s that were measured',
      );
    });
    it('says nothing of a disk that is not the server’s, that was not measured, or whose rate is that of reads', () => {
      const others = [disk(1_000, { targets: ['another'] })];
      const reads = [{ ...disk(1_000), storage: { ...storage, measure: 'randomRead' } }];
      for (const made of [flushing([]), flushing(others), flushing(reads)]) {
        expect(onlyShown(commitBound, made).claim).not.toContain('disk');
        expect(evidenceOf(made)).toBeUndefined();
      }
    });
    it('shows nothing because of the disk alone, where the log is a small part of the server’s time', () => {
      expect(outcomesOf(commitBound, flushing([disk(1_000)], 0.5))[0]!.status).toBe('notShown');
    });
  });
});

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
});

import { describe, expect, it } from 'vitest';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { type MadeRun, onlyShown, outcomesOf } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { hardParsing } from './hard-parsing.ts';

describe('hardParsing', () => {
  const parsing = (perExecution: number | null, gain: number | null, method: MethodName = 'literal'): MadeRun => ({
    factors: gain === null ? {} : { method: ['literal', 'bind'] },
    workload: gain === null ? { method } : {},
    targets: [
      {
        name: 'server',
        probeInfo: {
          hard: { unit: 'count', label: 'Plans made', role: 'hardParses' },
          runs: { unit: 'count', label: 'Executions', role: 'executions' },
        },
      },
    ],
    trial: ({ settings }) => ({
      rate: settings.method === 'bind' ? 1_000 * (gain ?? 1) : 1_000,
      result: {
        probeDelta:
          perExecution === null
            ? {}
            : { runs: 10_000, hard: settings.method === 'literal' ? 10_000 * perExecution : 5 },
      },
    }),
  });
  it('is certain where plans were counted and binding is faster', () => {
    const shown = onlyShown(hardParsing, parsing(1, 2));
    expect(shown.confidence).toBe('certain');
    expect(shown.explains).toBeCloseTo(0.5, 1);
    expect(pictureText(shown)).toBe('Throughput (rows/s): this cell 1.00k, with Method bind 2.00k');
  });
  it('is likely without the server’s count, and possible without the comparison', () => {
    expect(onlyShown(hardParsing, parsing(null, 2)).confidence).toBe('likely');
    expect(onlyShown(hardParsing, parsing(1, null)).confidence).toBe('possible');
  });
  it('is silent if binding gains nothing, if the server reuses its plans, and for bound values', () => {
    expect(outcomesOf(hardParsing, parsing(1, 1)).map(({ status }) => status)).toEqual(['notShown', 'notShown']);
    expect(outcomesOf(hardParsing, parsing(0.1, null))[0]!.status).toBe('notShown');
    expect(outcomesOf(hardParsing, parsing(0.001, null, 'bind'))[0]!.status).toBe('notShown');
    expect(outcomesOf(hardParsing, parsing(null, null))[0]!.status).toBe('cannotTell');
  });

  it('stays open if the repeats do not decide', () => {
    const noisy = parsing(null, 1);
    const [literal] = outcomesOf(hardParsing, {
      ...noisy,
      trial: ({ repeat }) => ({ rate: 1_000 * (1 + 0.4 * (repeat % 2 === 0 ? 1 : -1)) }),
    });
    expect(literal).toMatchObject({ status: 'cannotTell', why: expect.stringContaining('does not settle it') });
  });
});

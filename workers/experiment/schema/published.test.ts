import { describe, expect, it } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import { publishedRatio } from './published.ts';

const text = (published: string) => `dyno: 1
name: Published
question: Like them?
dataset: { rows: 100, columns: { id: { type: uuid4 } } }
workload: { operation: insert }
factors:
  rowsPerCall: [1, 1000]
targets: [sqlite]
sizes:
  wide: { factors: { rowsPerCall: [1, 1000, 5000] } }
published:
${published}
`;
const read = (published: string) => {
  const { experiment, diagnostics } = parseFile(text(published));
  const [first] = experiment?.published ?? [];
  return {
    ratios: first?.values.map((value) => publishedRatio(first, value)),
    problems: diagnostics.map(({ path, message }) => `${path}: ${message}`),
  };
};

describe('published figures', () => {
  it('are ratios of speed to their baseline, whatever they were published as', () => {
    const values = 'values: [{ levels: { rowsPerCall: 1 }, value: 40 }, { levels: { rowsPerCall: 1000 }, value: 4 }]';
    const of = (kind: string) => read(`  - { source: A, of: ${kind}, baseline: { rowsPerCall: 1 }, ${values} }`).ratios;
    expect(of('seconds')).toEqual([1, 10]);
    expect(of('rate')).toEqual([1, 0.1]);
    expect(of('ratio')).toEqual([40, 4]);
  });

  it('without a baseline, or with one that has no value, are compared with nothing', () => {
    expect(read('  - { source: A, of: rate, values: [{ label: all, value: 1111 }] }').ratios).toEqual([null]);
    expect(
      read(
        '  - { source: A, of: rate, baseline: { rowsPerCall: 1 }, values: [{ levels: { rowsPerCall: 1000 }, value: 9 }] }',
      ).ratios,
    ).toEqual([null]);
  });

  it('name levels of the file or of one of its sizes, or settings', () => {
    const levels = (written: string) =>
      read(`  - { source: A, of: rate, values: [{ levels: ${written}, value: 9 }] }`).problems;
    expect(levels('{ rowsPerCall: 5000, connections: 8, target: sqlite }')).toEqual([]);
    expect(levels('{ rowsPerCall: 7 }')).toEqual([
      'published[0].values[0].levels.rowsPerCall: `rowsPerCall` has no level `7` in any size.',
    ]);
    expect(levels('{ rowsPerCal: 1 }')).toEqual([
      'published[0].values[0].levels.rowsPerCal: `rowsPerCal` is neither a factor nor a setting.',
    ]);
  });
});

import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { madeFrom } from '#model/dataset/columns.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

const numbers: ReadonlySet<ColumnSpec['type']> = new Set(['integer', 'sequence', 'decimal', 'correlated']);
const timestamps: ReadonlySet<ColumnSpec['type']> = new Set(['timestamp', 'delayed']);

/** Checks columns at `path` that derive from others of the row: these exist, have the right type, form no cycle. */
export function checkFollowers(
  names: readonly string[],
  columns: ReadonlyMap<string, ColumnSpec>,
  path: Path,
  report: Report,
): void {
  for (const [name, spec] of columns) {
    if (spec.type !== 'correlated' && spec.type !== 'delayed') continue;
    const error = (key: string, message: string, suggestion: string | null) =>
      report({ severity: 'error', path: [...path, name, key], at: 'value', message, suggestion });
    const fitting = spec.type === 'delayed' ? timestamps : numbers;
    const what = spec.type === 'delayed' ? 'a timestamp' : 'a column of numbers';
    const candidates = [...columns.keys()].filter((other) => other !== name && fitting.has(columns.get(other)!.type));
    const others = candidates.length === 0 ? `There is no other; add ${what}.` : `There are: ${candidates.join(', ')}.`;
    for (const [key, of] of sources(spec)) {
      const source = columns.get(of);
      if (!names.includes(of))
        error(key, `\`${of}\` is not a column of this dataset.`, didYouMean(of, candidates) ?? others);
      else if (source && !fitting.has(source.type))
        error(key, `\`${name}\` has to follow ${what}, and \`${of}\` is of type ${source.type}.`, others);
      else if (spec.type === 'correlated' && spec.correlation !== undefined && source?.type === 'sequence')
        error(key, `\`${of}\` only ever grows: it has no spread that a correlation could refer to.`, 'Use `noise`.');
    }
    const cycle = cycleFrom(name, columns);
    if (cycle) error('of', `The columns follow each other in a circle: ${cycle.join(' → ')}.`, null);
  }
}

const sources = (
  spec: ColumnSpec & { readonly type: 'correlated' | 'delayed' },
): readonly (readonly [string, string])[] =>
  spec.type === 'correlated' && spec.times !== undefined
    ? [
        ['of', spec.of],
        ['times', spec.times],
      ]
    : [['of', spec.of]];

/** The path from a column back to itself; null where there is no cycle. */
function cycleFrom(start: string, columns: ReadonlyMap<string, ColumnSpec>): readonly string[] | null {
  const seen = new Set<string>();
  const walk = (name: string, path: readonly string[]): readonly string[] | null => {
    const spec = columns.get(name);
    if (spec === undefined || seen.has(name)) return null;
    seen.add(name);
    for (const next of madeFrom(spec)) {
      const found = next === start ? [...path, next] : walk(next, [...path, next]);
      if (found) return found;
    }
    return null;
  };
  return walk(start, [start]);
}

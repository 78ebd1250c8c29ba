import type { GalleryEngine } from '#protocol/gallery-page.ts';

/** The variants of an experiment that run on an engine, by the table of experiments/README.md. */
type Covered = 'all' | number;

/** The table of experiments/README.md: by experiment, and then by the engine's label. */
export type CoverageTable = ReadonlyMap<string, ReadonlyMap<string, Covered>>;

/** Reads the table that `npm run docs` writes (workers/cli/docs/gallery-blocks.ts). Throws if the text has none. */
export function readCoverage(readme: string): CoverageTable {
  const lines = readme.split('\n');
  const head = lines.indexOf('<!-- begin coverage -->');
  const rows = lines.slice(head).filter((line) => line.startsWith('| '));
  const [, ...labels] = cellsOf(rows[0] ?? '');
  if (head < 0 || labels.length === 0) throw new Error('experiments/README.md has no table of coverage.');
  return new Map(
    rows.slice(2).map((row) => {
      const [name = '', ...cells] = cellsOf(row);
      return [
        /^\[(.+)\]\(/.exec(name)?.[1] ?? name,
        new Map(cells.map((cell, i) => [labels[i]!, coveredOf(cell)] as const)),
      ] as const;
    }),
  );
}

const cellsOf = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll(/\*\*|\[\^\d+\]/g, '').trim());

function coveredOf(cell: string): Covered {
  if (cell === 'cannot') return 0;
  const [, count] = /^(\d+) of \d+/.exec(cell) ?? [];
  return count === undefined ? 'all' : Number(count);
}

/** The engines on which less of an experiment runs than the table says, as sentences. */
export function lostCells(
  table: CoverageTable,
  card: string,
  engines: readonly Pick<GalleryEngine, 'label' | 'cells' | 'reasons'>[],
): readonly string[] {
  const row = table.get(card);
  if (row === undefined) return [`The table of experiments/README.md lacks ${card}: npm run docs`];
  return engines.flatMap(({ label, cells, reasons }) => {
    const before = row.get(label);
    if (before === undefined) return [`The table of experiments/README.md lacks ${label}: npm run docs`];
    const [first] = reasons.filter(({ isSameAsAnother }) => !isSameAsAnother);
    const isLess = before === 'all' ? cells === 0 || first !== undefined : cells < before;
    if (!isLess) return [];
    const were = before === 'all' ? 'all variants' : `${before}`;
    return [`${label} ran ${were}, and now runs ${cells}: ${first?.reason ?? 'the others are the same there'}`];
  });
}

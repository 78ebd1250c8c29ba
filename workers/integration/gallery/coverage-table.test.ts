import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { galleryFolder } from '#platform/paths.ts';
import { lostCells, readCoverage } from './coverage-table.ts';

const readme = `
| experiment | question |
|---|---|
| [other](x) | Is this another table? |

<!-- begin coverage -->

| experiment | PostgreSQL | Oracle | RavenDB |
| --- | --- | --- | --- |
| [one](one.dyno.yaml) | **runs** | 3 of 4, your server [^2] | cannot [^1][^12] |

[^1]: It cannot.

<!-- end coverage -->
`;
const table = readCoverage(readme);
const why = { reason: 'No.', variants: ['a'], isSameAsAnother: false };

it('reads the table that the documentation has', () => {
  expect(table).toEqual(
    new Map([
      [
        'one',
        new Map<string, unknown>([
          ['PostgreSQL', 'all'],
          ['Oracle', 3],
          ['RavenDB', 0],
        ]),
      ],
    ]),
  );
  const own = readCoverage(readFileSync(join(galleryFolder, 'README.md'), 'utf8'));
  expect(own.get('insert-duel')?.get('PostgreSQL')).toBe('all');
  expect(() => readCoverage('No table.')).toThrow('no table of coverage');
});

it('finds an engine that runs less than before', () => {
  const same = { reason: 'Same as another.', variants: ['b'], isSameAsAnother: true };
  expect(lostCells(table, 'one', [{ label: 'PostgreSQL', cells: 3, reasons: [same] }])).toEqual([]);
  expect(lostCells(table, 'one', [{ label: 'PostgreSQL', cells: 3, reasons: [why] }])).toEqual([
    'PostgreSQL ran all variants, and now runs 3: No.',
  ]);
  expect(lostCells(table, 'one', [{ label: 'Oracle', cells: 0, reasons: [why] }])).toEqual([
    'Oracle ran 3, and now runs 0: No.',
  ]);
  expect(lostCells(table, 'one', [{ label: 'RavenDB', cells: 4, reasons: [] }])).toEqual([]);
});

it('misses a card or an engine that the table lacks', () => {
  expect(lostCells(table, 'two', [])).toHaveLength(1);
  expect(lostCells(table, 'one', [{ label: 'Db2', cells: 1, reasons: [] }])).toHaveLength(1);
});

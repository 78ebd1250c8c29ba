import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { tableCommand } from './table.ts';

async function printed(...args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: tableCommand.options,
    allowPositionals: true,
  });
  const [answers, notes]: [unknown[], string[]] = [[], []];
  const code = await tableCommand.run({
    ...{ home: {} as Home, values, positionals },
    print: (text) => void answers.push(text),
    printJson: (value) => void answers.push(value),
    note: (text) => void notes.push(text),
  });
  return { code, answers, notes };
}

test('the table of a file is printed as experiments write it, and as JSON', async () => {
  const path = join(temporaryFolder(), 'sales.txt');
  writeFileSync(path, 'Sale ID;price\n1;12.50\n2;-\n');
  const { code, answers, notes } = await printed(path, '--null-as', '-');
  expect(code).toBe(exitCodes.ok);
  expect(answers).toEqual([
    `tables:
  sales:
    from: { file: sales.txt, nullAs: "-" }
    rows: 2
    key: sale_id
    columns:
      sale_id: { type: file, column: Sale ID, as: integer }
      price: { type: file, as: decimal, precision: 4, scale: 2, nulls: 0.5 }`,
  ]);
  expect(notes.at(-1)).toContain('copy');
  const { answers: json } = await printed(path, '--json', '--rows', '1');
  expect(json).toMatchObject([{ name: 'sales', table: { rows: 2, key: 'sale_id' } }]);
});

test('a wrong number of rows and a wrong format are errors of usage', async () => {
  expect(await printed('a.csv', '--rows', 'x')).toMatchObject({ code: exitCodes.usage, answers: [] });
  const { code, notes } = await printed('a.csv', '--format', 'xlsx');
  expect(code).toBe(exitCodes.usage);
  expect(notes[0]).toContain('format');
});

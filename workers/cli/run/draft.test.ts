import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestHome, testHome } from '#integration/home.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { draftCommand } from './draft.ts';

let home: TestHome;
let folder: string;
beforeEach(() => {
  home = testHome();
  folder = mkdtempSync(join(tmpdir(), 'dyno-draft-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await home[Symbol.asyncDispose]();
});

async function draft(script: string, values: Record<string, string> = {}) {
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  const printed: string[] = [];
  const notes: string[] = [];
  const code = await draftCommand.run({
    home: home.home,
    positionals: [file],
    values,
    print: (line) => printed.push(line),
    printJson: () => {},
    note: (line) => notes.push(line),
  });
  return { code, printed: printed.join('\n'), notes: notes.join('\n') };
}

test('a script is printed as an experiment that is valid, and lines without a place are named', async () => {
  const { code, printed, notes } = await draft('BEGIN;\nSELECT 1::int;\nCOMMIT;\n\\i more.sql\n');
  expect(code).toBe(exitCodes.ok);
  const { experiment, diagnostics } = parseFile(printed);
  expect(diagnostics).toEqual([]);
  expect(experiment!.transactions).toMatchObject({ 'transaction-1': { steps: ['select-2'] } });
  expect(notes).toContain('Line 4 was left out: \\i more.sql');
});

test('what products read otherwise is printed once the dialect, or a target, is named', async () => {
  const script = "INSERT INTO t VALUES ('it\\'); SELECT ';');";
  const unsure = await draft(script.replace("\\'", '#'));
  expect(unsure.code).toBe(exitCodes.ok);
  const ambiguous = 'SELECT 1 # a; b\n;SELECT 2;';
  const asked = await draft(ambiguous);
  expect(asked).toMatchObject({ code: exitCodes.badExperiment, printed: '' });
  expect(asked.notes).toContain('--dialect');
  const given = await draft(ambiguous, { dialect: 'mysql' });
  expect(Object.keys(parseFile(given.printed).experiment!.statements!)).toHaveLength(2);
  const byTarget = await draft(ambiguous, { target: 'local-mariadb' });
  expect(parseFile(byTarget.printed).experiment!.targets).toEqual(['local-mariadb']);
});

test('a dialect that there is none of is refused with those that there are', async () => {
  await expect(draft('SELECT 1', { dialect: 'postgre' })).rejects.toThrow('There are no SQL scripts of “postgre”');
});

test('a script without statements becomes no experiment', async () => {
  expect(await draft('-- nothing')).toMatchObject({ code: exitCodes.badExperiment, printed: '' });
});

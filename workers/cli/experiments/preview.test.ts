import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { dyno } from '#integration/cli.fixture.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';

// Each command is a process of its own, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const columns = `
    id: { type: code, pattern: 'A####' }
    owner: { type: name, what: person, nulls: 0.3 }
    price: { type: decimal, min: -5, max: 5, nulls: 0.2 }
    blob: { type: bytes, length: 4 }
    note: { type: words, minWords: 40, maxWords: 40 }
`;

it('prints the first rows as a table, as JSON and as CSV', async () => {
  await using test = testHome();
  const file = join(test.home.root, 'x.dyno.yaml');
  const text = experimentYaml({}).replace(/( {2}columns:)[\s\S]*?(?=\n\S)/, `$1${columns.trimEnd()}`);
  writeFileSync(file, text);

  const table = await dyno(test.home, 'preview', file);
  expect(table.code).toBe(exitCodes.ok);
  const lines = table.out.trimEnd().split('\n');
  expect(lines).toHaveLength(21);
  expect(lines[0]).toMatch(/^id +owner +price +blob +note$/);
  expect(lines[1]).toMatch(/^A\d{4} .* 0x[0-9a-f]{8} .*…$/);

  const json = await dyno(test.home, 'preview', file, '--rows', '3', '--json');
  const rows = JSON.parse(json.out) as Readonly<Record<string, unknown>>[];
  expect(rows.map((row) => Object.keys(row))).toEqual(Array(3).fill(['id', 'owner', 'price', 'blob', 'note']));
  expect(String(rows[0]?.note).split(' ')).toHaveLength(40);
  expect(lines[1]).toContain(String(rows[0]?.id));

  const csv = await dyno(test.home, 'preview', file, '--rows', '200', '--csv');
  const [head, ...body] = csv.out.trimEnd().split('\n');
  expect(head).toBe('id,owner,price,blob,note');
  expect(body).toHaveLength(200);
  expect(body.some((line) => /,-\d+(\.\d+)?,0x/.test(line))).toBe(true);
});

it('names the problem with its place, and refuses too many rows', async () => {
  await using test = testHome();
  const file = join(test.home.root, 'x.dyno.yaml');
  writeFileSync(file, experimentYaml({}));
  const wrong = await dyno(test.home, 'preview', file, '--set', 'dataset.rows=0');
  expect(wrong.code).toBe(exitCodes.badExperiment);
  expect(wrong.err).toMatch(/dataset\.rows: Must be at least 1/);
  const many = await dyno(test.home, 'preview', file, '--rows', '1e9');
  expect(many.code).toBe(exitCodes.usage);
  expect(many.err).toContain('--rows 1e9');
  const dashed = await dyno(test.home, 'preview', file, '--rows', '-3');
  expect(dashed.code).toBe(exitCodes.usage);
  expect(dashed.err).toContain('--rows: a value that begins with a dash is written with an equals sign: --rows=-3');
  const unknown = await dyno(test.home, 'preview', file, '--sizes', 'small');
  expect(unknown.code).toBe(exitCodes.usage);
  expect(unknown.err).toContain('there is no option --sizes. Did you mean --size?');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { createPreviews } from './previews.ts';

vi.setConfig({ testTimeout: 60_000 });

const yaml = (column: string) => `dataset:\n  rows: 10\n  columns:\n    x: { ${column} }\n`;

test('rows come from a thread, one request after another', async () => {
  const previews = createPreviews(temporaryFolder());
  try {
    const first = await previews.preview(yaml('type: sequence, start: 7'), 'table');
    expect(first).toMatchObject({ preview: { columns: ['x'] } });
    const numbers = Array.from({ length: 20 }, (_, i) => 7 + i);
    expect('preview' in first && first.preview.rows.map(([x]) => x)).toEqual(numbers);
    expect(await previews.preview(yaml('type: text, length: 5000'), 'table')).toMatchObject({
      preview: { rows: expect.arrayContaining([[expect.stringMatching(/^\w{399}…$/)]]) },
    });
    expect(await previews.preview(yaml('type: txet'), 'table')).toMatchObject({
      problems: [{ path: 'dataset.columns.x.type', line: 4 }],
    });
  } finally {
    await previews.close();
  }
});

test('who asks again does not wait for what nobody wants any more', async () => {
  const previews = createPreviews(temporaryFolder());
  try {
    const slow = previews.preview(yaml('type: name, what: person, pool: 100000'), 'table');
    const fast = previews.preview(yaml('type: sequence'), 'table');
    await expect(slow).rejects.toMatchObject({ data: { kind: 'cancelled' } });
    expect(await fast).toMatchObject({ preview: { columns: ['x'] } });
  } finally {
    await previews.close();
  }
});

test('what the generator refuses is an error in its words', async () => {
  const previews = createPreviews(temporaryFolder());
  try {
    await expect(previews.preview(yaml('type: name, what: email, maxLength: 5'), 'table')).rejects.toThrow(
      'Column x: no email of the locale en is as short as 5 characters.',
    );
  } finally {
    await previews.close();
  }
});

test('rows of a file are those of the file, and a value that does not fit is an error with its line', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'rows.csv'), 'id,name\n7,Ann\n8,\n');
  const previews = createPreviews(folder);
  const table = (column: string, more = '') =>
    `dataset:\n  from: { file: rows.csv }\n  rows: 100\n${more}  columns:\n    id: { type: file, as: integer }\n    x: { ${column} }\n`;
  try {
    const whole = await previews.preview(table('type: file, column: name, nulls: 1', '  key: id\n'), 'table');
    expect(whole).toEqual({
      preview: {
        columns: ['id', 'x'],
        rows: [
          [7, 'Ann'],
          [8, null],
        ],
      },
    });
    const beside = await previews.preview(table('type: sequence'), 'table');
    expect('preview' in beside && beside.preview.rows.slice(0, 3)).toEqual([
      [7, 1],
      [8, 2],
      [7, 3],
    ]);
    await expect(previews.preview(table('type: file, column: name, as: integer'), 'table')).rejects.toThrow(
      'rows.csv, line 2, column “name”',
    );
    await expect(previews.preview(table('type: sequence').replace('rows.csv', '../rows.csv'), 'table')).rejects.toThrow(
      'is not in the experiment',
    );
  } finally {
    await previews.close();
  }
});

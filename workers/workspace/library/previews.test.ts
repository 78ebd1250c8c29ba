import { expect, test, vi } from 'vitest';
import { createPreviews } from './previews.ts';

vi.setConfig({ testTimeout: 60_000 });

const yaml = (column: string) => `dataset:\n  rows: 10\n  columns:\n    x: { ${column} }\n`;

test('rows come from a thread, one request after another', async () => {
  const previews = createPreviews();
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
  const previews = createPreviews();
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
  const previews = createPreviews();
  try {
    await expect(previews.preview(yaml('type: name, what: email, maxLength: 5'), 'table')).rejects.toThrow(
      'Column x: no email of the locale en is as short as 5 characters.',
    );
  } finally {
    await previews.close();
  }
});

import { expect, test, vi } from 'vitest';
import { draftOfPasted, draftOfSql } from './file-drafts.ts';
import { createScriptDrafts } from './script-drafts.ts';

vi.setConfig({ testTimeout: 60_000 });

const script = 'CREATE TABLE people (id bigint PRIMARY KEY, age int);\nSELECT age FROM people WHERE id = $1;\n';

test('drafts come from a thread as they come from the reader', async () => {
  const drafts = createScriptDrafts();
  try {
    expect(await drafts.pasted(script, 'postgres', 100)).toEqual(draftOfPasted(script, 'postgres', 100));
    expect(await drafts.ofFile('people', script, null)).toEqual(draftOfSql('people', script));
    expect(await drafts.pasted('-- nothing', null, 1)).toBeNull();
    await expect(drafts.ofFile('psql', '\\d people\n', null)).rejects.toMatchObject({
      data: { kind: 'badInput' },
    });
  } finally {
    await drafts.close();
  }
});

test('a script that takes long gives up for the next one', async () => {
  const drafts = createScriptDrafts();
  try {
    const long = drafts.pasted('SELECT ('.repeat(100_000), null, 1);
    const next = drafts.pasted(script, 'postgres', 100);
    await expect(long).rejects.toMatchObject({ data: { kind: 'cancelled' } });
    expect(await next).toMatchObject({ told: [] });
  } finally {
    await drafts.close();
  }
});

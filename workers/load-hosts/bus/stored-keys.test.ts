import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { storedKeys } from './stored-keys.ts';

test('a key stays the one that others trust: a damaged file is no reason for a new one', async () => {
  const home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
  const file = join(home.state, 'agent-key.json');
  const made = await storedKeys(home, 'agent');
  expect(await storedKeys(home, 'agent')).toEqual(made);
  for (const damaged of ['', '{"publicKey": "ab', '{"publicKey": "ab", "secretKey": "cd"}']) {
    writeFileSync(file, damaged);
    await expect(storedKeys(home, 'agent')).rejects.toThrow(/agent-key\.json/);
    expect(readFileSync(file, 'utf8')).toBe(damaged);
  }
});

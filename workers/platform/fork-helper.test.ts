import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endHelper, forkHelper } from './fork-helper.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

it('a helper that hangs is killed where it does not leave by itself', async () => {
  const file = join(temporaryFolder(), 'hanging.mjs');
  writeFileSync(file, 'process.send("here"); process.on("disconnect", () => { for (;;); });');
  const child = forkHelper(file);
  await new Promise((heard) => child.once('message', heard));
  await endHelper(child, 100);
  expect(child.signalCode).toBe('SIGKILL');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DynoError } from '#model/error.ts';
import { changeAlone, isLocked, tryLock } from './file-lock.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

it('holds against the same process and lets go on release', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.lock');
  const first = tryLock(file);
  expect(first).not.toBeNull();
  expect(tryLock(file)).toBeNull();
  first?.release();
  expect(isLocked(file)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it('has one owner at a time, though each deletes the file', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.lock');
  const script = join(folder, 'turns.mjs');
  const module = new URL('file-lock.ts', import.meta.url).href;
  // Who holds the lock alone makes and deletes a file that must not be there.
  writeFileSync(
    script,
    `import { rmSync, writeFileSync } from 'node:fs'; import { tryLock } from ${JSON.stringify(module)};
    for (let turns = 0; turns < 300; ) {
      const lock = tryLock(${JSON.stringify(file)});
      if (!lock) continue;
      writeFileSync(${JSON.stringify(join(folder, 'alone'))}, '', { flag: 'wx' });
      rmSync(${JSON.stringify(join(folder, 'alone'))});
      lock.release();
      turns++;
    }`,
  );
  const both = [0, 1].map(() => spawn(process.execPath, [script], { stdio: 'inherit' }));
  expect(await Promise.all(both.map(async (one) => (await once(one, 'exit'))[0]))).toEqual([0, 0]);
  expect(readdirSync(folder)).toEqual(['turns.mjs']);
}, 120_000);

it('loses no change of a file that several processes change at once', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'shared.json');
  writeFileSync(file, '[]');
  const script = join(folder, 'change.mjs');
  const modules = ['file-lock.ts', 'json-file.ts'].map((name) => JSON.stringify(new URL(name, import.meta.url).href));
  writeFileSync(
    script,
    `import { readFileSync } from 'node:fs'; import { changeAlone } from ${modules[0]}; import { writeAtomically } from ${modules[1]};
    const file = ${JSON.stringify(file)};
    for (let i = 0; i < 40; i++)
      changeAlone(file, () => writeAtomically(file, JSON.stringify([...JSON.parse(readFileSync(file, 'utf8')), i])));`,
  );
  const all = [0, 1, 2].map(() => spawn(process.execPath, [script], { stdio: 'inherit' }));
  expect(await Promise.all(all.map(async (one) => (await once(one, 'exit'))[0]))).toEqual([0, 0, 0]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(120);
  expect(readdirSync(folder).toSorted()).toEqual(['change.mjs', 'shared.json']);
}, 60_000);

it('releases the lock of a file whose change fails', () => {
  const file = join(temporaryFolder(), 'shared.json');
  const fail = () => {
    throw new Error('wrong');
  };
  expect(() => changeAlone(file, fail)).toThrowError('wrong');
  expect(isLocked(`${file}.lock`)).toBe(false);
});

it('is given back by the system when its holder is killed', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.lock');
  const script = join(folder, 'hold.mjs');
  const module = new URL('file-lock.ts', import.meta.url).href;
  writeFileSync(
    script,
    `import { tryLock } from ${JSON.stringify(module)}; globalThis.lock = tryLock(${JSON.stringify(file)}); console.log('held'); setInterval(() => {}, 1000);`,
  );
  const holder = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(isLocked(file)).toBe(true);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(isLocked(file)).toBe(false);
});

it('says which file could not be made, and what to do', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  expect(() => tryLock(join(file, 'a.lock'))).toThrowError(
    expect.objectContaining({ data: expect.objectContaining({ kind: 'permission' }) }) as DynoError,
  );
});

it('looks at a lock without making a file', () => {
  const folder = temporaryFolder();
  expect(isLocked(join(folder, 'a.lock'))).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { pathHash } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { accountFolder, serverAccount } from './account.ts';
import { programFor } from './programs.ts';
import { serverEnvironment, startServerProcess } from './server-process.ts';

const asRoot = test.skipIf(process.getuid?.() !== 0);
const quiet = () => {};

/** A folder of programs below a folder that root alone can enter; its copy goes with the test. */
function hiddenPrograms(): { readonly root: string; readonly parent: string; readonly copy: string } {
  const root = join(temporaryFolder(), 'tool-1');
  const parent = join('/var/tmp', `dyno-${pathHash(root)}`);
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  mkdirSync(join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'own'));
  writeFileSync(join(root, 'bin', 'server'), '#!/bin/sh\n', { mode: 0o700 });
  writeFileSync(join(root, 'library'), 'x', { mode: 0o600 });
  writeFileSync(join(root, 'own', 'secret'), 'x');
  return { root, parent, copy: join(parent, 'tool-1') };
}

test('a user who is not root runs programs where they are', () => {
  expect(programFor('/nowhere/bin/x', null, null, quiet)).toBe('/nowhere/bin/x');
});

asRoot(
  'programs that only root can reach are run from a copy, which is root’s and which every account can read',
  () => {
    const { root, copy } = hiddenPrograms();
    const said: string[] = [];
    const find = () =>
      programFor(join(root, 'bin', 'server'), root, serverAccount('x'), (text) => void said.push(text), 'own');
    expect(find()).toBe(join(copy, 'bin', 'server'));
    expect(lstatSync(join(copy, 'bin', 'server'))).toMatchObject({ mode: 0o100555, uid: 0 });
    expect(lstatSync(join(copy, 'library')).mode & 0o777).toBe(0o444);
    expect(readdirSync(copy).toSorted()).toEqual(['bin', 'library']);
    expect(said).toHaveLength(1);
    find();
    expect(said, 'the copy is used again').toHaveLength(1);
    rmSync(join(copy, 'library'));
    find();
    expect(existsSync(join(copy, 'library')), 'a copy that has lost a file is made again').toBe(true);
  },
);

asRoot('a program of the user’s own that only root can reach is told of, and copied nowhere', () => {
  const { root, parent } = hiddenPrograms();
  expect(() => programFor(join(root, 'bin', 'server'), null, serverAccount('x'), quiet)).toThrow(
    /cannot reach .*server/,
  );
  expect(existsSync(parent)).toBe(false);
});

asRoot('a copy that somebody else has made beforehand is not used', () => {
  const { root, parent } = hiddenPrograms();
  mkdirSync(parent);
  chmodSync(parent, 0o777);
  const account = serverAccount('x');
  accountFolder(parent, account);
  expect(() => programFor(join(root, 'bin', 'server'), root, account, quiet)).toThrow(/belongs to somebody else/);
});

asRoot('a data folder that another account has filled is refused, and stays as it is', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'mine'), 'x');
  expect(() => accountFolder(folder, serverAccount('x'))).toThrow(DynoError);
  expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('x');
  expect(lstatSync(folder).uid).toBe(0);
  const empty = join(folder, 'new');
  accountFolder(empty, serverAccount('x'));
  expect(lstatSync(empty)).toMatchObject({ uid: serverAccount('x')!.uid, mode: 0o040700 });
});

asRoot('no server is started as root', async () => {
  const folder = temporaryFolder();
  const started = startServerProcess({
    ...{ label: 'It', file: '/bin/true', args: [], cwd: folder, env: serverEnvironment(), account: null },
    ...{ log: join(folder, 'log'), isReady: () => true },
  });
  await expect(started).rejects.toThrow('It would run as root.');
  expect(existsSync(join(folder, 'log'))).toBe(false);
});

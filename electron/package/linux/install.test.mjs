import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const commandLine = join(import.meta.dirname, '../command-line');

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The parts of an unpacked archive that install.sh checks. */
function makeArchive() {
  const archive = join(folder, 'archive');
  const app = join(archive, 'lib/dyno');
  mkdirSync(join(app, 'bin'), { recursive: true });
  mkdirSync(join(archive, 'share/applications'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'install.sh'), join(archive, 'install.sh'));
  copyFileSync(join(import.meta.dirname, 'dyno.desktop'), join(archive, 'share/applications/dyno.desktop'));
  for (const name of ['dyno', 'open-window', 'sandbox-problem'])
    copyFileSync(join(commandLine, name), join(app, 'bin', name));
  for (const name of ['dyno-window', 'chrome-sandbox', 'resources.pak'])
    writeFileSync(join(app, name), '#!/bin/sh\necho "the window"\n', { mode: 0o755 });
  execFileSync('chmod', ['-R', 'go+rX', archive]);
  return archive;
}

const prefix = () => join(folder, 'prefix');
const install = (env = process.env) =>
  spawnSync('sh', ['-c', 'umask 077 && sh "$0" --prefix "$1"', join(makeArchive(), 'install.sh'), prefix()], {
    encoding: 'utf8',
    env,
  });

/** An ordinary user on a simulated system: programs of these names print and do the given things. */
function ordinaryUser(programs) {
  const bin = join(folder, 'programs');
  mkdirSync(bin);
  for (const [name, script] of Object.entries({ id: 'echo 1000', ...programs }))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
}

describe.skipIf(process.platform !== 'linux')('install.sh', () => {
  it('makes an installation that all users can read, under whatever mask', () => {
    expect(install()).toMatchObject({ status: 0 });
    const modes = ['', 'bin', 'lib', 'lib/dyno', 'lib/dyno/resources.pak', 'share/applications/dyno.desktop'].map(
      (path) => [path, statSync(join(prefix(), path)).mode & 0o444],
    );
    expect(modes.filter(([, mode]) => mode !== 0o444)).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a system that denies user namespaces', () => {
  it('is named by install.sh, with a remedy', () => {
    const { status, stdout } = install(ordinaryUser({ unshare: 'exit 1' }));
    expect(status).toBe(0);
    expect(stdout).toContain('this system denies user namespaces');
    expect(stdout).toContain(`sudo chmod 4755 '${prefix()}/lib/dyno/chrome-sandbox'`);
  });

  it('is named by the desktop entry, in a message, in place of a window that ends at once', () => {
    install();
    const shown = join(folder, 'shown');
    const env = ordinaryUser({ unshare: 'exit 1', zenity: `printf '%s ' "$@" > '${shown}'` });
    const entry = readFileSync(join(prefix(), 'share/applications/dyno.desktop'), 'utf8');
    const program = /^Exec=(\S+)/m.exec(entry)?.[1] ?? '';
    chmodSync(join(prefix(), 'lib/dyno/chrome-sandbox'), 0o755);
    expect(spawnSync(program, { env, encoding: 'utf8' })).toMatchObject({ status: 1, stdout: '' });
    expect(readFileSync(shown, 'utf8')).toContain('sudo chmod 4755');
    const able = { ...env, PATH: env.PATH.replace(join(folder, 'programs'), join(folder, 'able')) };
    expect(spawnSync(program, { env: able, encoding: 'utf8' }).stdout).toBe('the window\n');
  });

  it('is known by its setting where unshare alone may do it, as on Ubuntu', () => {
    const window = join(makeArchive(), 'lib/dyno/dyno-window');
    const setting = 'case $1 in *apparmor_restrict*) echo 1 ;; *) exec /bin/cat "$@" ;; esac';
    const env = ordinaryUser({ unshare: 'exit 0', cat: setting });
    const { status, stdout } = spawnSync(join(commandLine, 'sandbox-problem'), [window], { env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toContain(`profile dyno "${window}" flags=(unconfined) { userns, }`);
    expect(stdout).toContain('kernel.apparmor_restrict_unprivileged_userns=0');
  });
});

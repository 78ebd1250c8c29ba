import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findJdk } from './jdk.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-jdk-'));
  vi.stubEnv('JAVA_HOME', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Something that looks like a JDK (or a JRE). */
function jdk(name: string, version: string, programs: readonly string[] = ['java', 'javac', 'keytool']): string {
  const home = join(folder, name);
  mkdirSync(join(home, 'bin'), { recursive: true });
  for (const program of programs) {
    writeFileSync(join(home, 'bin', program), '');
    chmodSync(join(home, 'bin', program), 0o755);
  }
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="Somebody"\nJAVA_VERSION="${version}"\n`);
  return home;
}

describe.skipIf(process.platform === 'win32')('looking for a JDK', () => {
  it('takes the one of JAVA_HOME, and the PATH’s where that does not fit', () => {
    vi.stubEnv('JAVA_HOME', jdk('old', '1.8.0_412'));
    const newer = jdk('newer', '317.0.1');
    mkdirSync(join(folder, 'links'));
    symlinkSync(join(newer, 'bin', 'javac'), join(folder, 'links', 'javac'));
    vi.stubEnv('PATH', join(folder, 'links'));
    expect(findJdk({ from: 8, to: 8 })).toMatchObject({ major: 8, home: join(folder, 'old') });
    expect(findJdk({ from: 300 })).toMatchObject({ major: 317, java: join(newer, 'bin', 'java') });
  });

  it('takes no runtime without a compiler, and nothing that is too new', () => {
    vi.stubEnv('JAVA_HOME', jdk('runtime', '317', ['java']));
    expect(findJdk({ from: 300 })).toBeNull();
    vi.stubEnv('JAVA_HOME', jdk('later', '318.0.1'));
    expect(findJdk({ from: 300, to: 317 })).toBeNull();
  });
});

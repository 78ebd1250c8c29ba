import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { distributionIn } from './distribution.ts';
import { findJdk, jdkAdvice } from './jdk.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv('JAVA_HOME', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
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

describe('advice for a machine without a JDK', () => {
  const any = { from: 17 };
  const only17 = { from: 17, to: 17 };
  const on = (release: string, versions: typeof any) => jdkAdvice(versions, 'linux', distributionIn(release));

  it('names a package that the distribution has', () => {
    expect(on('ID=debian\nVERSION_ID="12"', any)).toContain('apt install openjdk-17-jdk-headless');
    expect(on('NAME="Debian"\nID=debian\nVERSION_ID="13"\n', any)).toContain('apt install openjdk-21-jdk-headless');
    expect(on('ID=ubuntu\nVERSION_ID="24.04"', any)).toContain('apt install openjdk-21-jdk-headless');
    expect(on('ID=ubuntu\nVERSION_ID="24.04"', only17)).toContain('apt install openjdk-17-jdk-headless');
    expect(on('ID=arch', any)).toContain('dnf install java-latest-openjdk-devel');
  });

  it('names no package where the distribution has none that fits', () => {
    const advice = on('ID=debian\nVERSION_ID="13"', only17);
    expect(advice).toContain('debian 13 has no JDK 17');
    expect(advice).not.toContain('apt');
  });
});

import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Distribution, thisDistribution } from './distribution.ts';
import { findProgram } from './tools.ts';

/** A Java development kit of this machine. It runs programs in Java, and compiles Dyno's launchers for it. */
export interface Jdk {
  readonly home: string;
  /** The major version: 17, 21… */
  readonly major: number;
  readonly java: string;
  readonly javac: string;
  readonly keytool: string;
}

/** The suitable major versions. `to` is the newest of them; absent: there is no newest. */
export interface JdkVersions {
  readonly from: number;
  readonly to?: number;
}

/** JAVA_HOME's JDK, else the PATH's, else the newest in a usual place. Null: none has a suitable version. */
export function findJdk({ from, to = Number.POSITIVE_INFINITY }: JdkVersions): Jdk | null {
  const fits = (jdk: Jdk | null): jdk is Jdk => jdk !== null && jdk.major >= from && jdk.major <= to;
  const chosen = [process.env.JAVA_HOME ?? '', homeOnPath()].map(jdkIn).find(fits);
  return (
    chosen ??
    usualHomes()
      .map(jdkIn)
      .filter(fits)
      .sort((a, b) => b.major - a.major)[0] ??
    null
  );
}

/** The real path of the PATH's javac, which is a link in most systems. */
function homeOnPath(): string {
  const javac = findProgram(['javac']);
  return javac === null ? '' : dirname(dirname(realpathSync(javac)));
}

/** The parents of JDKs, and the place of a JDK below its folder there. */
const parents: readonly (readonly [parent: string, inside: string])[] = [
  ['/usr/lib/jvm', ''],
  ['/Library/Java/JavaVirtualMachines', 'Contents/Home'],
  ['/opt/homebrew/opt', 'libexec/openjdk.jdk/Contents/Home'],
  ...['Java', 'Eclipse Adoptium', 'Microsoft'].map(
    (vendor) => [join(process.env.ProgramFiles ?? 'C:\\Program Files', vendor), ''] as const,
  ),
];

const usualHomes = (): readonly string[] =>
  parents.flatMap(([parent, inside]) =>
    existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name, inside)) : [],
  );

const ending = process.platform === 'win32' ? '.exe' : '';

/** Reads the file `release`, which every JDK since 8 has. Null: there is no JDK (a JRE has no javac). */
function jdkIn(home: string): Jdk | null {
  if (home === '') return null;
  const program = (name: string) => join(home, 'bin', `${name}${ending}`);
  try {
    const [, version = ''] = /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(join(home, 'release'), 'utf8')) ?? [];
    // "1.8.0_412" is Java 8.
    const major = Number(/^(?:1\.)?(\d+)/.exec(version)?.[1]);
    for (const name of ['java', 'javac']) accessSync(program(name), constants.X_OK);
    return { home, major, java: program('java'), javac: program('javac'), keytool: program('keytool') };
  } catch {
    return null;
  }
}

/**
 * Advice for a machine without a JDK of these versions: a command of its own distribution, if the distribution has such
 * a JDK.
 */
export function jdkAdvice(versions: JdkVersions, platform = process.platform, here = thisDistribution()): string {
  const wanted = versions.to ?? 21;
  switch (platform) {
    case 'darwin':
      return `brew install openjdk@${wanted}, or set JAVA_HOME.`;
    case 'win32':
      return `winget install EclipseAdoptium.Temurin.${wanted}.JDK, or set JAVA_HOME.`;
    default:
      return linuxAdvice(versions, here);
  }
}

/** The JDKs of a release that has not both 17 and 21. */
const onlyJdk: Readonly<Record<string, number>> = { 'debian 12': 17, 'debian 13': 21 };

function linuxAdvice({ from, to }: JdkVersions, here: Distribution | null): string {
  const wanted = onlyJdk[`${here?.id} ${here?.version}`] ?? to ?? 21;
  if (wanted < from || (to !== undefined && wanted > to))
    return `${here?.id} ${here?.version} has no JDK ${to}: unpack one, such as Temurin's (https://adoptium.net), and set JAVA_HOME.`;
  const fedora = to === undefined ? 'java-latest-openjdk-devel' : `java-${to}-openjdk-devel`;
  return `Debian, Ubuntu: sudo apt install openjdk-${wanted}-jdk-headless. Fedora: sudo dnf install ${fedora}. Or set JAVA_HOME.`;
}

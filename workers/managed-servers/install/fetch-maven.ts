import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { currentInstallation, throwIfEnded } from './installation.ts';
import { lastLines, runProgram, withProgress } from './run-program.ts';
import { findProgram } from './tools.ts';

/**
 * Fetches files from Maven Central, through the user's own Maven if there is one, so that its mirrors, proxies and
 * credentials hold, else directly over HTTPS. A file with another checksum than the pinned one is not used.
 */

/** An artifact of Maven Central, trusted only through its checksum. */
export interface MavenJar {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
  /** The checksum in hexadecimal digits. */
  readonly sha256: string;
}

export const jarName = ({ artifact, version }: MavenJar): string => `${artifact}-${version}.jar`;

const central = 'https://repo1.maven.org/maven2';
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const answerWithinMs = 180_000;

/** Fetches artifacts, without those on which they depend, into `folder`. */
export async function fetchMaven(
  jars: readonly MavenJar[],
  folder: string,
  onActivity: (text: string) => void,
): Promise<void> {
  const work = mkdtempSync(join(dirname(folder), 'maven-'));
  try {
    const mavenSaid = await copyWithMaven(jars, work, onActivity);
    if (mavenSaid !== null) await withProgress(() => download(jars, work, mavenSaid), onActivity, { paths: [work] });
    for (const jar of jars) {
      const file = join(work, jarName(jar));
      const found = createHash('sha256').update(readFileSync(file)).digest('hex');
      if (found !== jar.sha256)
        throw new DynoError('other', `${jarName(jar)} is not the file Dyno knows (sha256 ${found}); it was not used.`, {
          hint: 'The repository answers with something else under that name: check the mirrors in ~/.m2/settings.xml.',
        });
      copyFileSync(file, join(folder, jarName(jar)));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Null: all files are there. Else the reason why not; '': there is no Maven. */
async function copyWithMaven(
  jars: readonly MavenJar[],
  work: string,
  onActivity: (text: string) => void,
): Promise<string | null> {
  const mvn = findProgram(['mvn']);
  if (mvn === null) return '';
  const pom = join(work, 'pom.xml');
  writeFileSync(pom, pomOf(jars));
  const repository = join(homedir(), '.m2', 'repository');
  const paths = jars.map(({ group, artifact, version }) => join(repository, ...group.split('.'), artifact, version));
  const copy = ['--batch-mode', '--quiet', '--file', pom, copyGoal];
  const { code, output } = await runProgram(mvn, copy, { onActivity, growth: { paths } });
  return code === 0 ? null : lastLines(output);
}

/** The text of a project that only lists the files to copy, so that Maven is started once for all of them. */
function pomOf(jars: readonly MavenJar[]): string {
  const items = jars.map(
    ({ group, artifact, version }) =>
      `<artifactItem><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></artifactItem>`,
  );
  const plugin = '<groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId>';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Maven's own variable
  const configuration = `<outputDirectory>${'${project.basedir}'}</outputDirectory><artifactItems>${items.join('')}</artifactItems>`;
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    '<groupId>dyno</groupId><artifactId>fetch</artifactId><version>1</version><packaging>pom</packaging>',
    `<build><plugins><plugin>${plugin}<configuration>${configuration}</configuration></plugin></plugins></build></project>`,
  ].join('\n');
}

async function download(jars: readonly MavenJar[], work: string, mavenSaid: string): Promise<void> {
  for (const jar of jars) {
    const { group, artifact, version } = jar;
    const address = `${central}/${group.replaceAll('.', '/')}/${artifact}/${version}/${jarName(jar)}`;
    throwIfEnded();
    const ended = currentInstallation()?.signal;
    const timeout = AbortSignal.timeout(answerWithinMs);
    try {
      const response = await fetch(address, { signal: ended ? AbortSignal.any([ended, timeout]) : timeout });
      if (!response.ok) throw new Error(`HTTP status ${response.status}`);
      writeFileSync(join(work, jarName(jar)), new Uint8Array(await response.arrayBuffer()));
    } catch (thrown) {
      const why =
        thrown instanceof Error ? [thrown.message, causeOf(thrown)].filter(Boolean).join(': ') : String(thrown);
      throw new DynoError(
        'unreachable',
        `${address} could not be fetched: ${why}${mavenSaid && `. Maven had said: ${mavenSaid}`}`,
        { hint: 'Check the network and the proxy; with Maven (mvn) on the PATH its settings.xml is used.' },
      );
    }
  }
}

/** The error of fetch() itself says no more than "fetch failed". */
const causeOf = ({ cause }: Error): string => (cause instanceof Error ? cause.message : '');

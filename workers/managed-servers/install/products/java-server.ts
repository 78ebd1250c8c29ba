import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynoError } from '#model/error.ts';
import type { Missing } from '../../process/server-kind.ts';
import { fetchMaven, jarName, type MavenJar } from '../fetch-maven.ts';
import { fillFolder } from '../fetch-package.ts';
import { findJdk, type Jdk, type JdkVersions, jdkAdvice } from '../jdk.ts';
import { lastLines, runProgram } from '../run-program.ts';
import { toolsFolder } from '../tools.ts';
import type { Installable } from './installable.ts';

/** A Java server: files of Maven Central, and Dyno's own program that starts it, which is compiled at installation. */
export interface JavaServer {
  /** The server's name for `dyno servers install`: "derby". */
  readonly name: string;
  readonly label: string;
  readonly version: string;
  readonly about: string;
  readonly jars: readonly MavenJar[];
  /** Files in servers/java, which come before the jars on the class path. */
  readonly sources: readonly string[];
  readonly jdk: JdkVersions;
  /** Classes that use names which differ in this JDK; their changed copies come before the jars. Absent: none. */
  readonly renames?: readonly ClassRenames[];
}

/** See servers/java/RenameInClasses.java. */
interface ClassRenames {
  /** One of `jars`. */
  readonly artifact: string;
  /** Paths in the jar. */
  readonly classes: readonly string[];
  /** Old name → new one. */
  readonly names: Readonly<Record<string, string>>;
}

const sourceFile = (name: string): string => fileURLToPath(new URL(`../../servers/java/${name}`, import.meta.url));

const renamer = 'RenameInClasses.java';

/** The folder is named after its parts, so that the installation of an older Dyno does not count. */
function folderOf({ name, version, jars, sources, renames }: JavaServer): string {
  const hash = createHash('sha256').update(JSON.stringify([jars, renames]));
  for (const source of [...sources, ...(renames ? [renamer] : [])]) hash.update(readFileSync(sourceFile(source)));
  return join(toolsFolder(), `${name}-${version}-${hash.digest('hex').slice(0, 8)}`);
}

/** The argument of `java -cp`. Null: the server is not installed. */
export function classPathOf(server: JavaServer): string | null {
  const folder = folderOf(server);
  return existsSync(folder) ? classPath(folder, server) : null;
}

const classPath = (folder: string, { jars }: JavaServer): string =>
  [join(folder, 'classes'), ...jars.map((jar) => join(folder, jarName(jar)))].join(delimiter);

/**
 * The reason why the server cannot be started: there is no fitting JDK, or it is not installed. Null: it can be
 * started.
 */
export function missingJava(server: JavaServer): Missing | null {
  const lack = lacksJdk(server);
  if (lack) return lack;
  if (classPathOf(server) === null)
    return { what: `${server.label} is not installed`, fix: `\`dyno servers install ${server.name}\`` };
  return null;
}

/** The server in words: "10.17.1.0, /home/ann/.cache/dyno/…". Null: something is missing to start it. */
export const installedJava = (server: JavaServer): string | null =>
  missingJava(server) ? null : `${server.version}, ${folderOf(server)}`;

const jdkText = ({ jdk: { from, to } }: JavaServer): string =>
  to === undefined ? `JDK ${from} or newer` : from === to ? `JDK ${from}` : `JDK ${from} to ${to}`;

const lacksJdk = (server: JavaServer): Missing | null =>
  findJdk(server.jdk)
    ? null
    : { what: `There is no ${jdkText(server)}, which ${server.label} needs`, fix: jdkAdvice(server.jdk) };

/** A JDK, the server's folder and the class path that start it. Throws 'unsupported' with advice. */
export function requireJava(server: JavaServer): {
  readonly jdk: Jdk;
  readonly folder: string;
  readonly classPath: string;
} {
  const [jdk, found, missing] = [findJdk(server.jdk), classPathOf(server), missingJava(server)];
  if (missing || !jdk || !found)
    throw new DynoError('unsupported', missing?.what ?? server.label, { hint: missing?.fix ?? null });
  return { jdk, folder: folderOf(server), classPath: found };
}

/** `kinds`: the ids of the kinds of servers (ServerKind) that run it. */
export const javaInstallable = (server: JavaServer, engine: string, kinds: readonly string[]): Installable => ({
  name: server.name,
  engine,
  kinds,
  about: server.about,
  isInstalled: () => classPathOf(server) !== null,
  lacks: async () => lacksJdk(server),
  async install(onActivity) {
    const jdk = findJdk(server.jdk);
    if (!jdk) throw new DynoError('unsupported', `There is no ${jdkText(server)}.`, { hint: jdkAdvice(server.jdk) });
    await fillFolder(folderOf(server), async (folder) => {
      await fetchMaven(server.jars, folder, onActivity);
      mkdirSync(join(folder, 'classes'));
      const java = (program: string, args: readonly string[]) => runJava(server, program, args, onActivity);
      for (const renames of server.renames ?? []) await java(jdk.java, renameArguments(renames, server, folder));
      await java(jdk.javac, compileArguments(server, folder));
    });
  },
});

function renameArguments({ artifact, classes, names }: ClassRenames, { jars }: JavaServer, folder: string): string[] {
  const jar = jars.find((one) => one.artifact === artifact);
  if (!jar) throw new Error(`${artifact} is none of the jars`);
  const files = [join(folder, jarName(jar)), join(folder, 'classes')];
  return [sourceFile(renamer), ...files, String(classes.length), ...classes, ...Object.entries(names).flat()];
}

/** Compiles for the oldest suitable Java version, because another JDK may be installed later. */
const compileArguments = (server: JavaServer, folder: string): readonly string[] => [
  ...['-proc:none', '-nowarn', '--release', String(server.jdk.from), '-cp', classPath(folder, server)],
  ...['-d', join(folder, 'classes'), ...server.sources.map(sourceFile)],
];

async function runJava(
  { label }: JavaServer,
  program: string,
  args: readonly string[],
  onActivity: (text: string) => void,
): Promise<void> {
  const { code, output } = await runProgram(program, args, { onActivity });
  if (code !== 0)
    throw new DynoError(
      'other',
      `${label} could not be made ready by the JDK's ${basename(program)}: ${lastLines(output)}`,
    );
}

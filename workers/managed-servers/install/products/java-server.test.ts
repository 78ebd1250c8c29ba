import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findJdk, type Jdk } from '../jdk.ts';

const renamer = fileURLToPath(new URL('../../servers/java/RenameInClasses.java', import.meta.url));

/** The machine's own Java may be too old for ours, or a runtime alone. */
const jdk = findJdk({ from: 17 });

it.skipIf(jdk === null)(
  'classes run with the new names of what they refer to',
  () => {
    const { java, javac } = jdk as Jdk;
    const folder = temporaryFolder();
    const inFolder = (program: string, ...args: readonly string[]) =>
      execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
    for (const name of ['old', 'now', 'out']) mkdirSync(join(folder, name));
    const place = (name: string) =>
      `package ${name}; public class Place { public static String say() { return "${name}"; } }`;
    for (const name of ['old', 'now']) writeFileSync(join(folder, name, 'Place.java'), place(name));
    // long and double take two places of the constant pool.
    const main = `public class Main { static final long L = 1L << 40; static double d = 1.5e300;
    public static void main(String[] a) { System.out.println(old.Place.say() + " ü𝄞 " + (L + a.length) + " " + d); } }`;
    writeFileSync(join(folder, 'Main.java'), main);
    inFolder(javac, '-encoding', 'UTF-8', 'Main.java', join('now', 'Place.java'));
    const jar = javac.replace(/javac(\.exe)?$/, 'jar$1');
    inFolder(jar, '--create', '--file', 'x.jar', 'Main.class', 'old/Place.class');
    inFolder(java, renamer, 'x.jar', 'out', '1', 'Main.class', 'old/Place', 'now/Place');
    const said = (path: string) =>
      inFolder(java, '-Dstdout.encoding=UTF-8', '-Dfile.encoding=UTF-8', '-cp', path, 'Main');
    expect(said('.').trim()).toBe('old ü𝄞 1099511627776 1.5E300');
    expect(said(['out', '.'].join(process.platform === 'win32' ? ';' : ':')).trim()).toBe(
      'now ü𝄞 1099511627776 1.5E300',
    );
  },
  60_000,
);

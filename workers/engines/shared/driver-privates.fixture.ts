import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** An object of a driver, with the members that its types leave out. */
// biome-ignore lint/suspicious/noExplicitAny: a contract tests what no type promises
export type Untyped = Record<string, any>;

/** Throws, or rejects, if a private member of a driver no longer behaves as Dyno's code expects. */
type Contract = () => unknown;

/** Finds the list of private members at the top of a file; the text between has no colon. */
const list = /Private members of ([\w@/-]+) that this file uses[^:]*:\s*([\s\S]*?)\*\//g;

/** The files of an engine's folder that list private members of a package, with these members. */
function listsIn(folder: string, packageName: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(list)]
      .filter(([, name]) => name === packageName)
      .map(
        ([, , members = '']) =>
          [
            file,
            members
              .replaceAll(/[\s*]+/g, ' ')
              .trim()
              .replace(/\.$/, '')
              .split(', '),
          ] as const,
      ),
  );
  return new Map(found);
}

/**
 * Tests what an engine uses of a driver beyond its documented interface: one contract for each member, and each file
 * that uses members lists them at its top. The versions of drivers are exact in package.json, so that a change shows
 * here and nowhere else.
 */
export function testDriverPrivates(
  folder: string,
  packageName: string,
  contracts: Readonly<Record<string, Contract>>,
): void {
  const file = join(import.meta.dirname, '../../../node_modules', packageName, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  const lists = listsIn(folder, packageName);
  const usersOf = (member: string) =>
    [...lists].filter(([, members]) => members.includes(member)).map(([file]) => file);
  describe(`private members of ${packageName} ${version}`, () => {
    test.each(Object.entries(contracts))('%s', async (member, contract) => {
      try {
        await contract();
      } catch (cause) {
        const users = usersOf(member).join(', ');
        throw new Error(`${packageName} ${version} has changed ${member}, which ${users} relies on.`, { cause });
      }
    });

    test('the files that use them list them, and each has a contract', () => {
      const listed = new Set([...lists.values()].flat());
      expect([...listed].toSorted()).toEqual(Object.keys(contracts).toSorted());
    });
  });
}

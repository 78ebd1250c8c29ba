import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { DynoError, toErrorData } from '#model/error.ts';
import { loadHostProblems, type SavedLoadHost } from '#model/load-hosts.ts';
import { changeAlone } from '#platform/file-lock.ts';
import { writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import { loadHostSchema } from '#protocol/load-host-schema.ts';

const version = 1;
const fileSchema = v.object({
  version: v.literal(version),
  hosts: v.array(
    v.pipe(
      loadHostSchema,
      v.rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed) for (const { message } of loadHostProblems(dataset.value)) addIssue({ message });
      }),
    ),
  ),
});

/** The user's load hosts, by name. Throws 'badInput' where their file cannot be read. */
export function loadHosts(home: Home): readonly SavedLoadHost[] {
  const file = home.loadHosts;
  if (!existsSync(file)) return [];
  try {
    const { hosts } = v.parse(fileSchema, JSON.parse(readFileSync(file, 'utf8')));
    return hosts.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  } catch (thrown) {
    throw new DynoError('badInput', `${file} is no file of load hosts: ${toErrorData(thrown).message}`, {
      hint: 'Correct it, or move it away.',
    });
  }
}

/**
 * Adds a load host, or replaces the one with the name `before`. Throws 'badInput' for an invalid one, and for a taken
 * name.
 */
export function saveLoadHost(home: Home, host: SavedLoadHost, before = host.name): void {
  const [problem] = loadHostProblems(host);
  if (problem) throw new DynoError('badInput', problem.message, { hint: problem.hint });
  change(home, (hosts) => {
    const others = hosts.filter(({ name }) => name !== before);
    if (others.some(({ name }) => name === host.name))
      throw new DynoError('badInput', `There is a load host called “${host.name}” already.`);
    return [...others, host];
  });
}

/** Throws 'badInput' where there is none of the name. */
export function removeLoadHost(home: Home, name: string): void {
  change(home, (hosts) => {
    requireLoadHosts(home, [name]);
    return hosts.filter((one) => one.name !== name);
  });
}

/** The load hosts of these names. Throws 'badInput' for a name that none has. */
export function requireLoadHosts(home: Home, names: readonly string[]): readonly SavedLoadHost[] {
  const all = names.length > 0 ? loadHosts(home) : [];
  return names.map((name) => {
    const found = all.find((one) => one.name === name);
    if (found) return found;
    throw new DynoError('badInput', `There is no load host called “${name}” here.`, {
      hint: `Add it: dyno hosts add ${name} --ssh user@${name}${all.length > 0 ? `. There are ${all.map((one) => one.name).join(', ')}` : ''}.`,
    });
  });
}

const change = (home: Home, to: (hosts: readonly SavedLoadHost[]) => readonly SavedLoadHost[]): void =>
  changeAlone(home.loadHosts, () =>
    writeAtomically(home.loadHosts, `${JSON.stringify({ version, hosts: to(loadHosts(home)) }, null, 2)}\n`),
  );

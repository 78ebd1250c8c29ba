import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { DynoError, toErrorData } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { hostNameProblem, type SavedLoadHost } from '#model/load-hosts.ts';
import { type Ssh, sshProblems } from '#model/ssh.ts';
import { writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(2_000));
const hostSchema = v.union([
  v.strictObject({ name: text, ssh: v.custom<Ssh>(isMapping) }),
  v.strictObject({ name: text, nats: text, credentials: v.exactOptional(text), agent: text }),
]);
const version = 1;
const fileSchema = v.object({ version: v.literal(version), hosts: v.array(hostSchema) });

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

/** Adds a load host, or writes over the one of its name. Throws 'badInput' for what cannot be one. */
export function saveLoadHost(home: Home, host: SavedLoadHost): void {
  const problem =
    hostNameProblem(host.name) ?? ('ssh' in host ? (sshProblems(host.ssh)[0]?.message ?? null) : busProblem(host.nats));
  if (problem !== null) throw new DynoError('badInput', problem);
  write(home, [...loadHosts(home).filter(({ name }) => name !== host.name), host]);
}

/** Throws 'badInput' where there is none of the name. */
export function removeLoadHost(home: Home, name: string): void {
  requireLoadHosts(home, [name]);
  write(
    home,
    loadHosts(home).filter((one) => one.name !== name),
  );
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

const write = (home: Home, hosts: readonly SavedLoadHost[]): void =>
  writeAtomically(home.loadHosts, `${JSON.stringify({ version, hosts }, null, 2)}\n`);

const busProblem = (nats: string): string | null =>
  nats.split(',').every((one) => /^(?:nats|tls):\/\/[^\s/@]+$/.test(one.trim()))
    ? null
    : 'A bus is nats://host:port or tls://host:port, without user and password; these are in a credentials file.';

import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { findBuiltIn, findEngine } from '#engines/catalog.ts';
import { type Connection, mostValidMinutes, passwordVariable, type SavedConnection } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { hues, leastUsedHue } from '#model/hues.ts';
import { isReference } from '#model/reference.ts';
import { changeAlone } from '#platform/file-lock.ts';
import { setAside, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import { socksSchema, sshSchema } from '#protocol/tunnel-schemas.ts';

const text = v.pipe(v.string(), v.maxLength(20_000));
const groupSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(60));
const productionSchema = v.strictObject({
  maxConnections: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  maxPerSecond: v.exactOptional(v.pipe(v.number(), v.minValue(0.001))),
  allowWrites: v.exactOptional(v.literal(true)),
});
const connectionSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9]{1,40}$/)),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  engine: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  values: v.record(v.string(), v.union([text, v.number(), v.boolean(), v.record(v.string(), text)])),
  passwords: v.record(
    v.string(),
    v.union([
      v.picklist(['stored', 'ask']),
      v.strictObject({
        command: v.array(v.pipe(v.string(), v.maxLength(4_000))),
        validMinutes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostValidMinutes))),
      }),
    ]),
  ),
  ssh: v.exactOptional(sshSchema),
  socks: v.exactOptional(socksSchema),
  group: v.exactOptional(groupSchema),
  production: v.exactOptional(productionSchema),
  /** A connection that was written into the file by hand may have no colour, and Dyno then chooses one. */
  hue: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(hues - 1))),
});
const version = 1;
const fileSchema = v.object({ version: v.literal(version), connections: v.array(v.unknown()) });

/** The user's connections: one file of the home, read again at every request, so that window and command line agree. */
export interface ConnectionStore {
  /** The readable connections, sorted by name; `problem` names the unreadable ones. */
  list(): { readonly connections: readonly SavedConnection[]; readonly problem: string | null };
  /** Throws 'badInput' where it does not exist. */
  get(id: string): SavedConnection;
  /**
   * Adds a connection (id null), or replaces one. Without a hue it keeps its colour, or gets a free one if there is
   * any. Throws 'badInput' for a taken name, and for a secret in plain text.
   */
  save(connection: Omit<Connection, 'id'> & { readonly id: string | null; readonly hue?: number }): SavedConnection;
  /**
   * Adds all of them in one write, or none: each under its name, or under the first free variation of it. Throws
   * 'badInput' for a secret in plain text, and for an invalid name.
   */
  addAll(connections: readonly Omit<Connection, 'id'>[]): readonly SavedConnection[];
  /** A copy under a free name. */
  duplicate(id: string): SavedConnection;
  /** `undo` brings it back for as long as this object lives. */
  delete(id: string): { readonly undo: string };
  restore(undo: string): SavedConnection;
}

export function openConnectionStore(home: Home): ConnectionStore {
  const file = home.connections;
  const deleted = new Map<string, SavedConnection>();

  const read = () => readConnections(file);
  const write = (connections: readonly SavedConnection[], damaged: boolean): void => {
    if (damaged) setAside(file);
    writeAtomically(file, `${JSON.stringify({ version, connections: connections.toSorted(byName) }, null, 2)}\n`);
  };
  const get = (id: string): SavedConnection => {
    const found = read().connections.find((one) => one.id === id);
    if (found) return found;
    throw new DynoError('badInput', 'This connection does not exist any more.', { hint: 'Look at the list again.' });
  };
  /** Saves a connection while the caller holds the file's lock. */
  const put = (connection: SavedConnection): SavedConnection => {
    const { connections, problem } = read();
    const others = connections.filter((one) => one.id !== connection.id);
    const wrong = nameProblem(connection, others);
    if (wrong) throw new DynoError('badInput', wrong);
    requireNoSecret(connection);
    write([...others, connection], problem !== null);
    return connection;
  };

  return {
    list: read,
    get,
    save({ id, ...rest }) {
      return changeAlone(file, () => {
        const before = id === null ? { id: newId(), hue: freeHue(read().connections) } : get(id);
        return put({ ...rest, id: before.id, hue: rest.hue ?? before.hue });
      });
    },
    addAll(added) {
      return changeAlone(file, () => {
        const { connections, problem } = read();
        const all = [...connections];
        const freeName = freeNames(connections);
        const saved = added.map((one) => {
          requireNoSecret(one);
          const connection = { ...one, id: newId(), name: freeName(one.name), hue: freeHue(all) };
          all.push(connection);
          return connection;
        });
        if (saved.length > 0) write(all, problem !== null);
        return saved;
      });
    },
    duplicate(id) {
      return changeAlone(file, () => {
        const { connections } = read();
        const original = get(id);
        for (let n = 1; ; n++) {
          const name = `${original.name.slice(0, 50)} copy${n > 1 ? ` ${n}` : ''}`;
          const copy = { ...original, id: newId(), name, hue: freeHue(connections) };
          if (nameProblem(copy, connections) === null) return put(copy);
        }
      });
    },
    delete(id) {
      const connection = changeAlone(file, () => {
        const gone = get(id);
        const { connections, problem } = read();
        write(
          connections.filter((one) => one.id !== id),
          problem !== null,
        );
        return gone;
      });
      const undo = randomBytes(6).toString('hex');
      deleted.set(undo, connection);
      return { undo };
    },
    restore(undo) {
      const connection = deleted.get(undo);
      if (!connection) throw new DynoError('badInput', 'It cannot be brought back any more.');
      const restored = changeAlone(file, () => put(connection));
      deleted.delete(undo);
      return restored;
    },
  };
}

/**
 * The connections, for code that is about to connect to a server. Throws 'fileAccess' if the file, or a connection in
 * it, cannot be read, because production servers are then unknown.
 */
export function requireConnections(home: Home): readonly SavedConnection[] {
  const { connections, problem } = openConnectionStore(home).list();
  if (problem === null) return connections;
  const why = 'Until the file of connections can be read, Dyno connects to no server but those that it starts itself';
  throw new DynoError('fileAccess', `${why}: it may mark others as production. ${problem}`, {
    hint: `Mend ${home.connections}. Where no server in it is production, take the file away or save a connection.`,
  });
}

const freeHue = (connections: readonly SavedConnection[]): number => leastUsedHue(connections.map(({ hue }) => hue));

const newId = (): string => randomBytes(6).toString('hex');

const byName = (a: Connection, b: Connection): number => a.name.localeCompare(b.name, 'en');

function readConnections(file: string): ReturnType<ConnectionStore['list']> {
  const kept = 'Saving a connection begins a new file and keeps this one beside it.';
  let parsed: v.SafeParseResult<typeof fileSchema>;
  try {
    // A broken link, or an inaccessible folder, does not prove that there are no connections.
    if (!lstatSync(file, { throwIfNoEntry: false })) return { connections: [], problem: null };
    parsed = v.safeParse(fileSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch (thrown) {
    return { connections: [], problem: `${file} cannot be read: ${toErrorData(thrown).message}. ${kept}` };
  }
  if (!parsed.success)
    return { connections: [], problem: `${file} is not a file of connections of this version. ${kept}` };
  const connections: SavedConnection[] = [];
  let unreadable = 0;
  for (const one of parsed.output.connections) {
    const read = v.safeParse(connectionSchema, one);
    const clash =
      read.success && connections.some(({ id, name }) => id === read.output.id || name === read.output.name);
    // A secret that was written into the file by hand is not used, so that nobody takes the file for its proper place.
    if (read.success && !clash && !holdsSecret(read.output))
      connections.push({ ...read.output, hue: read.output.hue ?? freeHue(connections) });
    else unreadable++;
  }
  const problem =
    unreadable === 0
      ? null
      : `${unreadable} of ${parsed.output.connections.length} connections in ${file} cannot be used: they are incomplete, twice there, or hold a secret in plain text. ${kept}`;
  return { connections: connections.toSorted(byName), problem };
}

/** The reason why a connection cannot have this name; null if it can. */
export function nameProblem(connection: Pick<Connection, 'id' | 'name'>, others: readonly Connection[]): string | null {
  const { name } = connection;
  if (name.trim() === '') return 'A connection needs a name; experiments use it.';
  if (name !== name.trim() || /\p{Cc}/u.test(name)) return 'A name has no spaces at its ends and no line ends.';
  if (name.length > 60) return 'A name has at most 60 characters.';
  if (findBuiltIn(name) || findEngine(name)) return `“${name}” is built in; experiments could not tell the two apart.`;
  const variable = (one: Pick<Connection, 'id' | 'name'>) => passwordVariable(one, 'password');
  const other = others.find(
    (one) => one.name.toLowerCase() === name.toLowerCase() || variable(one) === variable(connection),
  );
  return other
    ? `There is a connection “${other.name}” already${other.name === name ? '' : ', and the two names differ too little'}.`
    : null;
}

/** Returns a function that returns the name, or the first free variation of it, and reserves it. */
function freeNames(connections: readonly Connection[]): (name: string) => string {
  const keysOf = (name: string) => [name.toLowerCase(), passwordVariable({ id: 'new', name }, 'password')];
  const taken = new Set(connections.flatMap(({ name }) => keysOf(name)));
  return (wanted) => {
    for (let n = 1; ; n++) {
      const name = n === 1 ? wanted : `${wanted} ${n}`;
      const keys = keysOf(name);
      const wrong = nameProblem({ id: 'new', name }, []);
      // A number makes a built-in name another one, but it does not make an invalid name valid.
      if (wrong !== null && n > 1) throw new DynoError('badInput', wrong);
      if (wrong !== null || keys.some((key) => taken.has(key))) continue;
      for (const key of keys) taken.add(key);
      return name;
    }
  };
}

function requireNoSecret(connection: Omit<Connection, 'id'>): void {
  if (holdsSecret(connection))
    throw new DynoError('badInput', 'A field holds a secret in plain text, and the file of connections holds none.', {
      hint: `Put the password into the password field, or write \${env:NAME}.`,
    });
}

/** True if the part that is written to the file contains a secret. */
function holdsSecret({ engine, values, socks }: Pick<Connection, 'engine' | 'values' | 'socks'>): boolean {
  const fields = findEngine(engine)?.descriptor.config ?? [];
  const isPassword = (name: string) => fields.some((field) => field.name === name && field.kind === 'password');
  return (
    (socks?.password !== undefined && !isReference(socks.password)) ||
    Object.entries(values).some(([name, value]) => isPassword(name) && !isReference(value)) ||
    holdsPlainSecret(values)
  );
}

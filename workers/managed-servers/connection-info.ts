import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import type { Home } from '#platform/paths.ts';
import { placeOf } from './places.ts';
import type { RunningServer, ServerKind } from './process/server-kind.ts';

/** The facts by which another program reaches a managed server. They hold no password. */
export interface ConnectionInfo {
  readonly kind: string;
  readonly engine: string;
  readonly label: string;
  readonly port: number;
  readonly dataFolder: string;
  /** A target for an experiment file; secrets are `${env:…}`. */
  readonly target: Readonly<Record<string, unknown>>;
  /** The target as YAML, an item of `targets`. */
  readonly yaml: string;
  /** A shell command for the product's own client. Null: there is none. */
  readonly client: string | null;
  /** A file that only this user can read and that sets the variables in a shell. Null: there is no password. */
  readonly passwordFile: string | null;
}

type Raw = RunningServer['raw'];

const variableOf = ({ id }: ServerKind, field: string): string =>
  `DYNO_${id}_${field}`.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();

/** The fields of a configuration that nobody else should see. */
export const secretFields = (raw: Raw): readonly (readonly [name: string, value: string])[] =>
  Object.entries(raw).flatMap(([name, value]) =>
    typeof value === 'string' && holdsPlainSecret(value, name) ? [[name, value] as const] : [],
  );

/** Says how to reach the server, and writes the file of passwords, which is deleted with the server's end. */
export function createConnectionInfo(
  home: Home,
  kind: ServerKind,
  server: Pick<RunningServer, 'raw' | 'port' | 'dataFolder'>,
): ConnectionInfo {
  const { id, engine, label } = kind;
  const { raw, port, dataFolder } = server;
  const secrets = secretFields(raw);
  const target = {
    name: `managed-${id.replace(/^(?:local|embedded)-/, '')}`, // an engine may have several kinds of servers
    engine,
    ...raw,
    ...Object.fromEntries(secrets.map(([name]) => [name, `\${env:${variableOf(kind, name)}}`])),
  };
  const passwordFile = secrets.length > 0 ? fileOf(home, id) : null;
  if (passwordFile) {
    const lines = secrets.map(([name, value]) => `export ${variableOf(kind, name)}=${quoted(value)}\n`);
    writeFileSync(passwordFile, lines.join(''), { mode: 0o600 });
  }
  return {
    ...{ kind: id, engine, label, port, dataFolder, target, passwordFile },
    yaml: stringify([target], { indent: 2 }).trimEnd(),
    client: kind.client?.(raw, `$${variableOf(kind, secrets[0]?.[0] ?? 'password')}`) ?? null,
  };
}

export const removePasswordFile = (home: Home, kind: string): void => rmSync(fileOf(home, kind), { force: true });

const fileOf = (home: Home, kind: string): string => join(placeOf(home, kind).folder, 'password.sh');

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

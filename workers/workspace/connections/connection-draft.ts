import type { EngineConfig } from '#engine-api/config.ts';
import { type CatalogEntry, findEngine } from '#engines/catalog.ts';
import {
  type Connection,
  type ConnectionDraft,
  commandOf,
  type DraftOpinion,
  type DraftProblem,
  type FieldValues,
} from '#model/connections.ts';
import { type ErrorData, toErrorData } from '#model/error.ts';
import { socksPasswordField } from '#model/socks.ts';
import { throughTunnel } from '#model/tunnel.ts';
import { missingFields } from '#rules/targets/target-fields.ts';
import { fieldText } from './connection-passwords.ts';
import { tunnelProblems } from './connection-tunnel.ts';
import { nameProblem } from './connections.ts';

type Raw = Readonly<Record<string, unknown>>;

/** Replaces an unknown password while values are checked; no parser reads a password's contents. */
const anyPassword = 'password';

/** All problems of a draft that its engine's own parser finds. No server is contacted. */
export function judgeDraft(draft: ConnectionDraft, all: readonly Connection[]): DraftOpinion {
  const others = all.filter(({ id }) => id !== draft.id);
  const name = nameProblem({ id: draft.id ?? 'new', name: draft.name }, others);
  const opinion = judgeConnection({
    ...draft,
    passwords: Object.fromEntries(Object.entries(draft.passwords).map(([field, { place }]) => [field, place])),
  });
  const problems =
    name === null ? opinion.problems : [{ field: 'name', message: name, hint: null }, ...opinion.problems];
  return { ...opinion, problems };
}

/** The problems of a draft's fields, without those of its name. */
export function judgeConnection({
  engine,
  values,
  passwords,
  ssh,
  socks,
}: Pick<Connection, 'engine' | 'values' | 'passwords' | 'ssh' | 'socks'>): DraftOpinion {
  const entry = findEngine(engine);
  if (!entry) {
    const message = `There is no engine “${engine}” in this Dyno.`;
    return { problems: [{ field: null, message, hint: null }], address: null, grants: null };
  }
  const tunnelled = { ...(ssh && { ssh }), ...(socks && { socks }) };
  const { [socksPasswordField]: ofProxy, ...ofServer } = passwords;
  const raw: Raw = { ...values, ...Object.fromEntries(Object.keys(ofServer).map((field) => [field, anyPassword])) };
  const wrong = [
    ...strayPasswords(entry, ofServer),
    ...(ofProxy && !socks?.user ? [noProxyUser] : []),
    ...emptyCommands(entry, passwords),
    ...gaps(entry, raw),
    ...refusals(entry, raw),
  ];
  const config = wrong.length === 0 ? configOf(entry, raw) : null;
  return {
    problems: [...wrong, ...tunnelProblems(tunnelled, entry, config)],
    address: config && throughTunnel(entry.config.describe(config).address, tunnelled),
    grants: config && entry.config.grants(config),
  };
}

const noProxyUser: DraftProblem = {
  field: 'socks.user',
  message: 'The SOCKS proxy has a password and no user.',
  hint: 'A login has both: give the user, or leave the password out.',
};

/** A password must be in a password field. */
const strayPasswords = ({ descriptor }: CatalogEntry, passwords: Connection['passwords']): readonly DraftProblem[] =>
  Object.keys(passwords)
    .filter((field) => !descriptor.config.some(({ name, kind }) => name === field && kind === 'password'))
    .map((field) => ({ field, message: `“${field}” is no password of ${descriptor.label}.`, hint: null }));

/** A command needs a program; the program checks the rest. */
const emptyCommands = (entry: CatalogEntry, passwords: Connection['passwords']): readonly DraftProblem[] =>
  Object.entries(passwords)
    .filter(([, place]) => {
      const command = commandOf(place);
      return command !== null && (command[0] ?? '').trim() === '';
    })
    .map(([field]) => ({
      field,
      message: `The command that prints ${fieldText(entry.descriptor.id, field)} names no program.`,
      hint: 'One argument a line; the first is the program: aws, or a whole path.',
    }));

const gaps = ({ descriptor }: CatalogEntry, raw: Raw): readonly DraftProblem[] =>
  missingFields(descriptor.config, raw).map(({ name, label, help }) => ({
    field: name,
    message: `${label} is needed.`,
    hint: help ?? null,
  }));

/**
 * The problems of values, at most one per field. A parser throws for its first problem; the field is then left out to
 * find the next one. Values of the environment are not known yet.
 */
export function refusals(entry: CatalogEntry, raw: Raw): readonly DraftProblem[] {
  const whole = refusal(entry, raw);
  const bare = refusal(entry, {});
  const problems: DraftProblem[] = [];
  let rest = known(raw);
  for (;;) {
    const error = whole && refusal(entry, rest);
    if (!error) return problems;
    const isAbout = (key: string) => refusal(entry, { [key]: rest[key] })?.message === error.message;
    // If a field is also missing from empty values, it is missing and not wrong.
    const field = error.message === bare?.message ? undefined : Object.keys(rest).find(isAbout);
    if (field === undefined) {
      // The missing value may come from the environment, or is reported already.
      const isLess = Object.keys(rest).length < Object.keys(raw).length && error.message !== whole.message;
      return isLess || gaps(entry, raw).length > 0
        ? problems
        : [...problems, { field: fieldNamed(entry, error), ...said(error) }];
    }
    problems.push({ field, ...said(error) });
    const { [field]: _, ...others } = rest;
    rest = others;
  }
}

const said = ({ message, hint }: ErrorData) => ({ message, hint });

/** The message of a parser begins with the missing key. */
const fieldNamed = ({ descriptor }: CatalogEntry, { message }: ErrorData): string | null =>
  descriptor.config.find(({ name }) => message.startsWith(`${name} `))?.name ?? null;

/** The values without those that only the environment knows. */
const known = (raw: Raw): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([, value]) => !JSON.stringify(value).includes('${env:')));

function refusal({ config }: CatalogEntry, raw: Raw): ErrorData | null {
  try {
    config.parse(raw);
    return null;
  } catch (thrown) {
    return toErrorData(thrown);
  }
}

/** The displayed address. Placeholders stay if the parser accepts them. */
export function configOf({ config }: CatalogEntry, raw: Raw): EngineConfig | null {
  for (const values of [raw, known(raw)])
    try {
      return config.parse(values);
    } catch {
      // The parser refused a placeholder, which some fields cannot contain.
    }
  return null;
}

/**
 * The server of a connection: engine, hosts and ports, or else its address, and its SSH server or proxy. A password
 * that was stored for one place is not sent to another one, whoever changes the connection.
 */
export function placeOf(connection: Pick<Connection, 'engine' | 'values' | 'passwords' | 'ssh' | 'socks'>): string {
  const entry = findEngine(connection.engine);
  const config = entry && configOf(entry, connection.values);
  const endpoints = config ? entry.config.endpoints(config) : [];
  const place = endpoints.length > 0 ? endpoints : config ? entry.config.describe(config).address : connection.values;
  const { ssh, socks } = connection;
  return JSON.stringify([
    ...[connection.engine, place],
    ...(ssh ? [ssh.host, ssh.port, ssh.jump] : []),
    ...(socks ? ['socks', socks.host, socks.port, socks.user] : []),
  ]);
}

/** The connection that a draft becomes in the file. */
export const savedFrom = ({
  name,
  engine,
  values,
  passwords,
  ssh,
  socks,
  group,
  hue,
  production,
}: ConnectionDraft): Omit<Connection, 'id'> & { readonly hue?: number } => ({
  name,
  engine,
  values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as FieldValues,
  passwords: Object.fromEntries(Object.entries(passwords).map(([field, { place }]) => [field, place])),
  ...(ssh && { ssh }),
  ...(socks && { socks }),
  ...(group && { group }),
  ...(hue !== undefined && { hue }),
  ...(production && { production }),
});

import type { ConfigField } from '#engine-api/config.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import {
  type Connection,
  type ConnectionDraft,
  commandOf,
  type FieldValue,
  type FieldValues,
  type PasswordDraft,
  passwordVariable,
  type ReadUrl,
} from '#model/connections.ts';
import type { Production } from '#model/production.ts';
import { isReference } from '#model/reference.ts';
import { type Socks, socksPasswordField } from '#model/socks.ts';
import type { Ssh } from '#model/ssh.ts';
import type { TunnelKind } from '#model/tunnel.ts';
import type { NumberEntry } from '../ui/controls/number-field.tsx';

export type PasswordChoice = 'none' | 'stored' | 'ask' | 'environment' | 'command';

/** A password field in the form. The page never receives stored passwords. */
export interface PasswordForm {
  readonly choice: PasswordChoice;
  readonly typed: string;
  /** The name of the environment variable. */
  readonly variable: string;
  /** The program that prints the password, and its arguments, one per line. */
  readonly command: string;
  /** The minutes for which the printed password is valid. Null if unknown, a text if the input is not a number. */
  readonly validMinutes: NumberEntry;
  /** True if a password is stored. An empty `typed` keeps it. */
  readonly kept: boolean;
  /** True to keep a password of the source "ask" in memory until Dyno quits, after the connection is saved. */
  readonly remember: boolean;
}

/** The production mark in a form. A limit that is not a number is a text. */
export interface ProductionForm extends Pick<Production, 'allowWrites'> {
  readonly maxConnections?: number | string;
  readonly maxPerSecond?: number | string;
}

/** The SSH server in a form. It is absent without a host. */
export type SshForm = Partial<Ssh>;

/** The SOCKS proxy in a form. It is absent without a host. Its password is among the form's passwords. */
export type SocksForm = Partial<Omit<Socks, 'password'>>;

/** The state of a connection's form. */
export interface ConnectionFormState {
  /** Unique for each opened form in this window. */
  readonly key: number;
  readonly id: string | null;
  readonly name: string;
  readonly engine: string;
  /** The values of the fields, without passwords. */
  readonly values: FieldValues;
  /** The passwords by field. `socksPasswordField` is the field of the SOCKS proxy. */
  readonly passwords: Readonly<Record<string, PasswordForm>>;
  readonly ssh: SshForm;
  readonly socks: SocksForm;
  /** The heading in lists. Empty if there is none. */
  readonly group: string;
  /** The hue. Null if Dyno chooses it. */
  readonly hue: number | null;
  /** The production mark. Null if the connection is not marked. */
  readonly production: ProductionForm | null;
  /** Increases when values change from outside the inputs, so that inputs with their own text are replaced. */
  readonly revision: number;
}

const isPassword = ({ kind }: ConfigField): boolean => kind === 'password';

const noPassword: PasswordForm = {
  choice: 'none',
  typed: '',
  variable: '',
  command: '',
  validMinutes: null,
  kept: false,
  remember: true,
};

/** The form of a new connection. It only expects the engine's first password, because others are rare. */
export function emptyForm(key: number, engine: EngineDescriptor, canStore: boolean): ConnectionFormState {
  const passwords = engine.config.filter(isPassword).map(({ name }, index): [string, PasswordForm] => {
    const choice = index > 0 ? 'none' : canStore ? 'stored' : 'ask';
    return [name, { ...noPassword, choice }];
  });
  return {
    key,
    id: null,
    name: '',
    engine: engine.id,
    values: {},
    passwords: { ...Object.fromEntries(passwords), [socksPasswordField]: noPassword },
    ssh: {},
    socks: {},
    group: '',
    hue: null,
    production: null,
    revision: 0,
  };
}

export function formOf(
  key: number,
  connection: Connection & { readonly hue?: number },
  engine: EngineDescriptor,
): ConnectionFormState {
  const names = engine.config.filter(isPassword).map(({ name }) => name);
  const { password: ofProxy, ...socks } = connection.socks ?? {};
  const passwords = [...names, socksPasswordField].map((name): [string, PasswordForm] => {
    const place = connection.passwords[name];
    const command = commandOf(place);
    const written = name === socksPasswordField ? ofProxy : connection.values[name];
    const reference = isReference(written) ? String(written).slice('${env:'.length, -1) : '';
    return [
      name,
      {
        choice: command ? 'command' : typeof place === 'string' ? place : reference ? 'environment' : 'none',
        typed: '',
        variable: reference,
        command: (command ?? []).join('\n'),
        validMinutes: typeof place === 'object' ? (place.validMinutes ?? null) : null,
        kept: place === 'stored',
        remember: true,
      },
    ];
  });
  return {
    key,
    id: connection.id,
    name: connection.name,
    engine: connection.engine,
    values: Object.fromEntries(Object.entries(connection.values).filter(([name]) => !names.includes(name))),
    passwords: Object.fromEntries(passwords),
    ssh: connection.ssh ?? {},
    socks,
    group: connection.group ?? '',
    hue: connection.hue ?? null,
    production: connection.production ?? null,
    revision: 0,
  };
}

/**
 * Restores the form of a draft, which was stored without its typed passwords. `before` is the form as it was opened.
 */
export function restored(
  key: number,
  kept: ConnectionDraft,
  before: ConnectionFormState,
  engine: EngineDescriptor,
): ConnectionFormState {
  const places = Object.entries(kept.passwords).map(([field, { place }]) => [field, place] as const);
  const form = formOf(key, { ...kept, id: before.id ?? '', passwords: Object.fromEntries(places) }, engine);
  const passwords = Object.entries(form.passwords).map(([field, one]): [string, PasswordForm] => {
    const opened = before.passwords[field];
    // If the source is "stored" but no password was typed, the source of the opened form applies.
    const choice = one.choice === 'none' && opened && !opened.kept ? opened.choice : one.choice;
    return [field, { ...one, choice, kept: opened?.kept ?? false }];
  });
  return { ...form, id: before.id, passwords: Object.fromEntries(passwords) };
}

/** Removes spaces at the ends of values, which are easily pasted with a host name. */
const trimmed = <V extends FieldValues | SshForm | SocksForm>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as V;

/** Splits lines into a program and its arguments. Empty lines at the end are ignored. */
const argumentsOf = (command: string): readonly string[] => command.replace(/\n+$/, '').split('\n');

/** The draft for the main process. The source "stored" without a typed password counts as no password. */
export function draftOf(form: ConnectionFormState): ConnectionDraft {
  const { id, name, engine, values, ssh, socks, group, hue, production } = form;
  const { [socksPasswordField]: ofProxy, ...ofServer } = form.passwords;
  const hasProxy = Object.keys(socks).length > 0;
  const passwords = hasProxy && ofProxy ? form.passwords : ofServer;
  const proxyVariable = ofProxy?.choice === 'environment' ? ofProxy.variable : '';
  const references = Object.entries(ofServer).flatMap(([field, { choice, variable }]) =>
    choice === 'environment' && variable !== '' ? [[field, `\${env:${variable}}`] as const] : [],
  );
  const drafts = Object.entries(passwords).flatMap(
    ([field, { choice, typed, kept, command, validMinutes }]): [string, PasswordDraft][] => {
      const asTyped = typed === '' ? null : typed;
      const valid = typeof validMinutes === 'number' ? { validMinutes } : {};
      if (choice === 'command') return [[field, { place: { command: argumentsOf(command), ...valid }, typed: null }]];
      if (choice === 'ask') return [[field, { place: 'ask', typed: asTyped }]];
      return choice === 'stored' && (asTyped !== null || kept) ? [[field, { place: 'stored', typed: asTyped }]] : [];
    },
  );
  return {
    id,
    name: name.trim(),
    engine,
    values: { ...trimmed(values), ...Object.fromEntries(references) },
    passwords: Object.fromEntries(drafts),
    // An SSH server without a host is checked, too, so that the form names the missing field.
    ...(Object.keys(ssh).length > 0 && { ssh: { host: '', ...trimmed(ssh) } }),
    ...(hasProxy && {
      socks: { host: '', ...trimmed(socks), ...(proxyVariable !== '' && { password: `\${env:${proxyVariable}}` }) },
    }),
    ...(group.trim() !== '' && { group: group.trim() }),
    ...(hue !== null && { hue }),
    ...(production && { production: withNumbers(production) }),
  };
}

/** The production mark with the limits that are valid numbers. */
function withNumbers({ maxConnections, maxPerSecond, ...rest }: ProductionForm): Production {
  return {
    ...rest,
    ...(typeof maxConnections === 'number' && { maxConnections }),
    ...(typeof maxPerSecond === 'number' && { maxPerSecond }),
  };
}

/** True if an invalid number is missing from the draft. Its field shows the problem. */
export const hasUnreadNumber = ({ production, passwords }: ConnectionFormState): boolean =>
  Object.values(production ?? {}).some((value) => typeof value === 'string') ||
  Object.values(passwords).some(({ choice, validMinutes }) => choice === 'command' && typeof validMinutes === 'string');

/** Changes a part of the SSH server or SOCKS proxy. Undefined removes it. */
export function withTunnelPart(
  form: ConnectionFormState,
  kind: TunnelKind,
  part: string,
  value: string | number | undefined,
): ConnectionFormState {
  const { [part]: _, ...rest } = form[kind] as Readonly<Record<string, unknown>>;
  return { ...form, [kind]: value === undefined ? rest : { ...rest, [part]: value } };
}

export function withValue(
  form: ConnectionFormState,
  field: string,
  value: FieldValue | undefined,
): ConnectionFormState {
  const { [field]: _, ...rest } = form.values;
  return { ...form, values: value === undefined ? rest : { ...rest, [field]: value } };
}

export const withPassword = (
  form: ConnectionFormState,
  field: string,
  change: Partial<PasswordForm>,
): ConnectionFormState => {
  const before = form.passwords[field];
  return before ? { ...form, passwords: { ...form.passwords, [field]: { ...before, ...change } } } : form;
};

/**
 * Fills the form from a URL. If the engine changes, all other fields are reset. A name that the user typed stays;
 * otherwise the host becomes the name.
 */
export function withUrl(
  form: ConnectionFormState,
  read: ReadUrl,
  engine: EngineDescriptor,
  canStore: boolean,
): ConnectionFormState {
  const base =
    read.engine === form.engine ? form : { ...emptyForm(form.key, engine, canStore), name: form.name, id: form.id };
  const names = engine.config.filter(isPassword).map(({ name }) => name);
  const passwords = names.map((field): [string, PasswordForm] => {
    const before = base.passwords[field] ?? noPassword;
    const typed = read.passwords[field];
    const written = read.values[field];
    if (typed !== undefined) {
      const choice = before.choice === 'ask' || !canStore ? 'ask' : 'stored';
      return [field, { ...before, choice, typed }];
    }
    if (isReference(written))
      return [field, { ...before, choice: 'environment', variable: String(written).slice(6, -1) }];
    return [field, before];
  });
  const hostName = ({ host }: FieldValues): string => (typeof host === 'string' ? host.slice(0, 60) : '');
  const isGiven = base.name !== '' && (form.id !== null || base.name !== hostName(form.values));
  return {
    ...base,
    name: isGiven ? base.name : hostName(read.values),
    values: Object.fromEntries(Object.entries(read.values).filter(([name]) => !names.includes(name))),
    passwords: { ...base.passwords, ...Object.fromEntries(passwords) },
    production: read.readOnly ? (base.production ?? {}) : base.production,
    revision: form.revision + 1,
  };
}

/** The typed passwords to keep in memory until Dyno quits, by field. */
export const rememberedOf = ({ passwords }: ConnectionFormState): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(passwords).flatMap(([field, { choice, typed, remember }]) =>
      choice === 'ask' && typed !== '' && remember ? [[field, typed]] : [],
    ),
  );

/** True if saving either form would give the same connection. */
export const sameContent = (a: ConnectionFormState, b: ConnectionFormState): boolean =>
  JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b));

/** All parts of the form that may change a test's result, except typed passwords. */
export function testedContent(form: ConnectionFormState): string {
  const { engine, values, passwords, ssh, socks } = draftOf(form);
  return JSON.stringify([
    engine,
    values,
    ssh ?? null,
    socks ?? null,
    Object.entries(passwords).map(([field, { place }]) => [field, place]),
  ]);
}

/** The suggested name of the environment variable for a password. */
export const suggestedVariable = ({ id, name }: ConnectionFormState, field: string): string =>
  passwordVariable({ id: id ?? 'connection', name }, field);

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

/** A password field in the form. The page never gets stored passwords. */
export interface PasswordForm {
  readonly choice: PasswordChoice;
  readonly typed: string;
  /** Name of the environment variable. */
  readonly variable: string;
  /** The program that prints the password, and its arguments: one a line. */
  readonly command: string;
  /** Minutes that what the command prints is valid; null: nobody says. A text is not understood. */
  readonly validMinutes: NumberEntry;
  /** True if a password is stored; an empty `typed` keeps it. */
  readonly kept: boolean;
  /** A password that is asked for stays in memory once the connection is saved, until Dyno quits. */
  readonly remember: boolean;
}

/** The production mark in a form; a text among its limits is not understood. */
export interface ProductionForm extends Pick<Production, 'allowWrites'> {
  readonly maxConnections?: number | string;
  readonly maxPerSecond?: number | string;
}

/** The SSH server in a form; it needs a host to be one. */
export type SshForm = Partial<Ssh>;

/** The SOCKS proxy in a form; it needs a host to be one. Its password is among the form's. */
export type SocksForm = Partial<Omit<Socks, 'password'>>;

/** The state of a connection's form. */
export interface ConnectionFormState {
  /** Unique per opened form in this window. */
  readonly key: number;
  readonly id: string | null;
  readonly name: string;
  readonly engine: string;
  /** Values of the fields, without the passwords. */
  readonly values: FieldValues;
  /** The passwords by field; `socksPasswordField` has that of the SOCKS proxy. */
  readonly passwords: Readonly<Record<string, PasswordForm>>;
  readonly ssh: SshForm;
  readonly socks: SocksForm;
  /** The heading in lists; empty: none. */
  readonly group: string;
  /** Null: Dyno chooses it. */
  readonly hue: number | null;
  /** Null: it is not marked as production. */
  readonly production: ProductionForm | null;
  /** Grows when values change from outside the inputs; inputs that hold their own text are then replaced. */
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

/** The form of a new connection. It expects the engine's first password; other passwords are rare. */
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

/** The form of a draft that was kept without its typed passwords; `before`: the form as it was opened. */
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
    // A password to store that was never typed is no choice of its own.
    const choice = one.choice === 'none' && opened && !opened.kept ? opened.choice : one.choice;
    return [field, { ...one, choice, kept: opened?.kept ?? false }];
  });
  return { ...form, id: before.id, passwords: Object.fromEntries(passwords) };
}

/** Values without spaces at their ends, which are easily pasted with a host name. */
const trimmed = <V extends FieldValues | SshForm | SocksForm>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as V;

/** A program and its arguments, one a line; empty lines at the end are none. */
const argumentsOf = (command: string): readonly string[] => command.replace(/\n+$/, '').split('\n');

/** The draft that is sent to the main process. A password to store that was never typed counts as no password. */
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
    // An SSH server without a host is judged, too, so that the form says what is missing.
    ...(Object.keys(ssh).length > 0 && { ssh: { host: '', ...trimmed(ssh) } }),
    ...(hasProxy && {
      socks: { host: '', ...trimmed(socks), ...(proxyVariable !== '' && { password: `\${env:${proxyVariable}}` }) },
    }),
    ...(group.trim() !== '' && { group: group.trim() }),
    ...(hue !== null && { hue }),
    ...(production && { production: withNumbers(production) }),
  };
}

/** The mark with the limits that are numbers. */
function withNumbers({ maxConnections, maxPerSecond, ...rest }: ProductionForm): Production {
  return {
    ...rest,
    ...(typeof maxConnections === 'number' && { maxConnections }),
    ...(typeof maxPerSecond === 'number' && { maxPerSecond }),
  };
}

/** True if a number that the draft would leave out is not understood; its field says so. */
export const hasUnreadNumber = ({ production, passwords }: ConnectionFormState): boolean =>
  Object.values(production ?? {}).some((value) => typeof value === 'string') ||
  Object.values(passwords).some(({ choice, validMinutes }) => choice === 'command' && typeof validMinutes === 'string');

/** The form with another part of its SSH server or SOCKS proxy; undefined: without it. */
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
 * The form with the fields of a URL; for another engine than before, all other fields are reset. A name that the user
 * gave stays; otherwise the host becomes the name.
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

/** The typed passwords that are to be remembered until Dyno quits, by field. */
export const rememberedOf = ({ passwords }: ConnectionFormState): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(passwords).flatMap(([field, { choice, typed, remember }]) =>
      choice === 'ask' && typed !== '' && remember ? [[field, typed]] : [],
    ),
  );

/** True if saving either form gives the same connection. */
export const sameContent = (a: ConnectionFormState, b: ConnectionFormState): boolean =>
  JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b));

/** Everything in the form that may change a test's result, except typed passwords. */
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

/** Suggested name of the environment variable for a password. */
export const suggestedVariable = ({ id, name }: ConnectionFormState, field: string): string =>
  passwordVariable({ id: id ?? 'connection', name }, field);

import type { SteppedReport } from './check-step.ts';
import type { Production } from './production.ts';
import type { Tunnelled } from './tunnel.ts';

/** The value of a field in a connection form; maps are texts by name. */
export type FieldValue = string | number | boolean | Readonly<Record<string, string>>;
/** The values of a connection form, by field name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** A program that prints a password or token, and its arguments. It runs without a shell. */
interface PasswordCommand {
  readonly command: readonly string[];
  /**
   * The minutes for which the output is valid: 15 for Amazon's tokens. Absent: until the expiry in its JSON, otherwise
   * until a login is refused.
   */
  readonly validMinutes?: number;
}

/**
 * `stored`: the operating system encrypts the password for the window only. `ask`: the user enters it at each start. A
 * command prints it for each connection.
 */
type PasswordPlace = 'stored' | 'ask' | PasswordCommand;

/** The most minutes of {@link PasswordCommand}: a year. */
export const mostValidMinutes = 525_600;

/** The program and arguments that print a password; null: the password has another source. */
export const commandOf = (place: PasswordPlace | undefined): readonly string[] | null =>
  typeof place === 'object' ? place.command : null;

/** A user's own server. Experiments use its name like the name of a built-in target. */
export interface Connection extends Tunnelled {
  /** An opaque id, which a new name does not change. */
  readonly id: string;
  readonly name: string;
  readonly engine: string;
  /** Values by the names of the engine's config fields. Passwords appear only as `${env:NAME}`. */
  readonly values: FieldValues;
  /** The sources of the other passwords, including the password of a SOCKS proxy; an absent field has no password. */
  readonly passwords: Readonly<Record<string, PasswordPlace>>;
  /** Its group in lists. Absent: none. */
  readonly group?: string;
  /** The protection of a production server. Absent: not marked as production. */
  readonly production?: Production;
}

/** A saved connection with its colour. */
export interface SavedConnection extends Connection {
  /** Its colour in every chart (hues.ts). */
  readonly hue: number;
}

/** The planner's view of a connection. */
export type KnownConnection = Pick<SavedConnection, 'name' | 'engine' | 'hue' | 'production'>;

/** Passwords in clear text, by connection id and field. They exist only in memory, until a worker receives them. */
export type Passwords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A password that a connection needs before a run, for a prompt. */
export interface PasswordNeed {
  readonly connection: string;
  readonly name: string;
  readonly field: string;
  readonly label: string;
  /** The environment variable that can hold the password. */
  readonly variable: string;
}

/** The input of a password field; `typed` null: the user entered nothing, and the stored password is kept. */
export interface PasswordDraft {
  readonly place: PasswordPlace;
  readonly typed: string | null;
}

/** The unsaved state of a connection form. */
export interface ConnectionDraft extends Tunnelled {
  /** Null before it is first saved. */
  readonly id: string | null;
  readonly name: string;
  readonly engine: string;
  readonly values: FieldValues;
  readonly passwords: Readonly<Record<string, PasswordDraft>>;
  readonly group?: string;
  /** Absent: Dyno chooses the colour. */
  readonly hue?: number;
  readonly production?: Production;
}

/**
 * A problem of a draft; `field` is a config field, 'name', 'ssh', 'ssh.host', 'socks.host' and so on, or null for the
 * whole draft.
 */
export interface DraftProblem {
  readonly field: string | null;
  readonly message: string;
  readonly hint: string | null;
}

/** The result of the engine's parser for a draft. */
export interface DraftOpinion {
  readonly problems: readonly DraftProblem[];
  /** Null if the values are incomplete. */
  readonly address: string | null;
  /** Least-privilege script for the draft's user; null if the engine has none. */
  readonly grants: string | null;
}

/** A URL or another connection string as parsed by the engine that recognises it. */
export interface ReadUrl {
  readonly engine: string;
  readonly values: FieldValues;
  /** Passwords of the URL, in clear text. */
  readonly passwords: Readonly<Record<string, string>>;
  /** The parts that are ignored or changed, in sentences. */
  readonly notes: readonly string[];
  /** True if the URL requests a read-only connection. */
  readonly readOnly: boolean;
}

/** A connection found in a file of another program, without its passwords. */
export interface ImportEntry {
  readonly name: string;
  /** Null: Dyno has no engine for it. */
  readonly engine: string | null;
  /** Null if the values are incomplete. */
  readonly address: string | null;
  /** True if the imported connection is marked as production. */
  readonly production: boolean;
  /** The labels of the passwords in the file. */
  readonly passwords: readonly string[];
  /** The ignored parts of the entry, as sentences. */
  readonly notes: readonly string[];
  /** Its uses of this machine, in sentences; the import needs the user's consent to them. */
  readonly uses: readonly string[];
  /** The reason why it cannot be imported; null: it can. */
  readonly problem: string | null;
  /** The steps that complete the entry after the import, as sentences; null: none. */
  readonly missing: string | null;
  /** The saved connection, or earlier entry, for the same server and user; null: none. */
  readonly sameAs: string | null;
}

/** The connections found in files of other programs. Passwords stay in the main process. */
export interface ImportList {
  readonly importId: string;
  readonly files: readonly {
    readonly label: string;
    readonly file: string;
    readonly entries: readonly ImportEntry[];
  }[];
  /** Files that could not be read. */
  readonly problems: readonly string[];
}

/** A saved connection in the list of connections. */
export interface ConnectionEntry extends SavedConnection {
  /** Null if the values cannot be read. */
  readonly address: string | null;
  readonly problem: string | null;
  readonly lastCheck: CheckSummary | null;
}

/** The saved connections, with the problems of the file that stores them. */
export interface ConnectionList {
  readonly connections: readonly ConnectionEntry[];
  /** The reason why the file of connections cannot be read; null: it can. */
  readonly problem: string | null;
  /** The reason why this machine cannot store passwords; null: it can. */
  readonly cannotStore: string | null;
}

/** The steps of a connection check, in order; `tunnel` and `socks` apply to connections through one. */
export const checkSteps = ['settings', 'tunnel', 'socks', 'name', 'port', 'tls', 'login', 'rights', 'probes'] as const;
/** One step of a connection check. */
export type CheckStepName = (typeof checkSteps)[number];

/** The titles of the steps. */
export const checkStepTitles: Readonly<Record<CheckStepName, string>> = {
  settings: 'Settings',
  tunnel: 'SSH tunnel',
  socks: 'SOCKS proxy',
  name: 'Host name',
  port: 'Port',
  tls: 'TLS',
  login: 'Login',
  rights: 'Rights',
  probes: 'Server counters',
};

/** A connection check, complete or under way. Contains no secrets. */
export interface CheckReport extends SteppedReport<CheckStepName> {
  readonly engine: string;
  readonly address: string;
  /** e.g. "PostgreSQL 18.4". */
  readonly product: string | null;
  readonly version: string | null;
  readonly emulator: string | null;
  /** The engine's warning for every target (EngineDescriptor.notice). */
  readonly notice: string | null;
  /** Facts about the server, or a proxy before it, that affect numbers, in sentences. */
  readonly cautions: readonly string[];
  /** Median time of the cheapest statement. */
  readonly roundTripMs: number | null;
  /** The script for a DBA, if privileges or counters are missing. */
  readonly grants: string | null;
}

/** The last check of a connection, for the list. */
export interface CheckSummary {
  readonly at: string;
  readonly state: 'ok' | 'limited' | 'failed';
  readonly product: string | null;
  readonly roundTripMs: number | null;
  readonly failedStep: CheckStepName | null;
  readonly message: string | null;
}

/** The field in which an engine accepts a connection URL instead of the single fields. */
export const urlField = 'url';

/** The environment variable of a password for use without a prompt: DYNO_PASSWORD_STAGING. */
export function passwordVariable({ id, name }: Pick<Connection, 'id' | 'name'>, field: string): string {
  const capitals = (text: string) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{Mark}/gu, '')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '');
  const words = field.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return `DYNO_${capitals(words)}_${capitals(name) || capitals(id)}`;
}

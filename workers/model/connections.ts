import type { ErrorData } from './error.ts';

/** What a field of a connection form may hold; maps are texts by name. */
export type FieldValue = string | number | boolean | Readonly<Record<string, string>>;
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** `stored`: encrypted by the system for the window alone. `ask`: nowhere, whoever connects is asked. */
type PasswordPlace = 'stored' | 'ask';

/** A server of the user's own, under a name that experiments write like a built-in target's. */
export interface Connection {
  /** Opaque; stays when the name changes. */
  readonly id: string;
  readonly name: string;
  readonly engine: string;
  /** By the names of the engine's config fields. Never a secret: password fields are here only as `${env:NAME}`. */
  readonly values: FieldValues;
  /** Where the other password fields are; those that are absent have none. */
  readonly passwords: Readonly<Record<string, PasswordPlace>>;
}

/** What the planner has to know of a connection. */
export type KnownConnection = Pick<Connection, 'name' | 'engine'>;

/** Passwords in the clear, by connection id and field. Only in memory, and only on the way to a worker. */
export type Passwords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A password without which a connection cannot be used, for whoever can be asked. */
export interface PasswordNeed {
  readonly connection: string;
  readonly name: string;
  readonly field: string;
  readonly label: string;
  /** The environment variable that would have answered. */
  readonly variable: string;
}

/** What is typed for a password field; `typed` null: nothing was, and what is stored stays. */
export interface PasswordDraft {
  readonly place: PasswordPlace;
  readonly typed: string | null;
}

/** A connection as it stands in the form. */
export interface ConnectionDraft {
  /** Null until it is first saved. */
  readonly id: string | null;
  readonly name: string;
  readonly engine: string;
  readonly values: FieldValues;
  readonly passwords: Readonly<Record<string, PasswordDraft>>;
}

/** Something wrong with a draft; `field` is a config field, 'name', or null for the whole. */
export interface DraftProblem {
  readonly field: string | null;
  readonly message: string;
  readonly hint: string | null;
}

/** What the engine's own parser says of a draft. */
export interface DraftOpinion {
  readonly problems: readonly DraftProblem[];
  /** Null where the values are not complete. */
  readonly address: string | null;
  /** Least-privilege script for the draft's user; null where there is none. */
  readonly grants: string | null;
}

/** A URL taken apart by the engine that knows it. */
export interface ReadUrl {
  readonly engine: string;
  readonly values: FieldValues;
  /** In the clear, as they stood in the URL. */
  readonly passwords: Readonly<Record<string, string>>;
}

export interface ConnectionEntry extends Connection {
  /** Null where the values cannot be read. */
  readonly address: string | null;
  readonly problem: string | null;
  readonly lastCheck: CheckSummary | null;
}

export interface ConnectionList {
  readonly connections: readonly ConnectionEntry[];
  /** What is wrong with the file that holds them; null: nothing. */
  readonly problem: string | null;
  /** Why passwords cannot be stored on this machine; null: they can. */
  readonly cannotStore: string | null;
}

/** What a check walks through, in this order. */
export const checkSteps = ['settings', 'name', 'port', 'tls', 'login', 'rights', 'probes'] as const;
export type CheckStepName = (typeof checkSteps)[number];

export const checkStepTitles: Readonly<Record<CheckStepName, string>> = {
  settings: 'Settings',
  name: 'Host name',
  port: 'Port',
  tls: 'TLS',
  login: 'Login',
  rights: 'Rights',
  probes: 'Server counters',
};

export interface CheckStep {
  readonly step: CheckStepName;
  /**
   * limited: it works, with something missing that `detail` names. skipped: it does not apply. notTried: one before it
   * failed, or the check was cancelled.
   */
  readonly state: 'waiting' | 'running' | 'ok' | 'limited' | 'failed' | 'skipped' | 'notTried';
  readonly ms: number | null;
  /** What was found, in a sentence; lines where it is a list. */
  readonly detail: string;
  readonly error: ErrorData | null;
}

/** One walk along the steps, complete or under way. No secret in it. */
export interface CheckReport {
  readonly engine: string;
  readonly address: string;
  readonly state: 'running' | 'ok' | 'limited' | 'failed' | 'cancelled';
  readonly steps: readonly CheckStep[];
  /** e.g. "PostgreSQL 18.4". */
  readonly product: string | null;
  readonly version: string | null;
  readonly standIn: string | null;
  /** What everybody who looks at a target of this engine has to know (EngineDescriptor.notice). */
  readonly notice: string | null;
  /** Median of the cheapest statement's round trips. */
  readonly roundTripMs: number | null;
  /** The script that a DBA runs, where rights or counters are missing. */
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

/** By this name an engine's config field takes a connection URL instead of the single fields. */
export const urlField = 'url';

/** Stands for the value of an environment variable. */
export const isReference = (value: unknown): boolean =>
  typeof value === 'string' && /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);

/** The environment variable that holds a password where nobody can be asked: DYNO_PASSWORD_STAGING. */
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

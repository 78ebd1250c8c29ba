import { findEngine } from '#engines/catalog.ts';
import type { FieldValue, FieldValues } from '#model/connections.ts';
import type { Ssh } from '#model/ssh.ts';

/** A connection as a file of another program has it, in the words of Dyno's engines. It may hold passwords. */
export interface Found {
  /** The name in the file. */
  readonly name: string;
  /** Null: Dyno has no engine for it. */
  readonly engine: string | null;
  readonly values: FieldValues;
  /** By field, in clear text; null: the other program keeps it elsewhere. */
  readonly passwords: Readonly<Record<string, string | null>>;
  readonly ssh?: Ssh;
  /** What of the entry is not taken over, in sentences. */
  readonly notes: readonly string[];
  /** Why it cannot become a connection; null: the engine's own parser decides. */
  readonly problem: string | null;
}

/** What one setting of another program comes to. */
interface Taken {
  readonly values?: FieldValues;
  readonly passwords?: Found['passwords'];
  readonly note?: string;
  readonly problem?: string;
}

/** The field that holds the setting as it is, or a function for one that is written in another way. */
export type Rule = string | ((value: string) => Taken);

/** A setting that says nothing about the connection. */
export const ignored = (): Taken => ({});

/** `seconds` as a time limit for the login. */
export const timeoutOf = (seconds: string): Taken =>
  /^\d{1,5}$/.test(seconds) && Number(seconds) > 0 ? { values: { connectTimeoutMs: Number(seconds) * 1_000 } } : {};

/** Settings of another program by the rules for their names. Those without a rule are named in a note. */
export function takeOver(
  name: string,
  engine: string,
  settings: Iterable<readonly [name: string, value: string]>,
  rules: Readonly<Record<string, Rule>>,
): Found {
  const values: Record<string, FieldValue> = {};
  const passwords: Record<string, string | null> = {};
  const notes: string[] = [];
  const unknown: string[] = [];
  let problem: string | null = null;
  for (const [key, value] of settings) {
    if (value === '') continue;
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) {
      unknown.push(key);
      continue;
    }
    const taken = typeof rule === 'string' ? asField(engine, rule, value) : rule(value);
    Object.assign(values, taken.values);
    Object.assign(passwords, taken.passwords);
    if (taken.note) notes.push(taken.note);
    problem ??= taken.problem ?? null;
  }
  if (unknown.length > 0) notes.push(notTaken(unknown));
  return { name, engine, values, passwords, notes, problem };
}

const mostNamed = 8;

/** Names of settings that have no counterpart; their values may be secrets. */
function notTaken(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => name.slice(0, 60));
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `Not taken over: ${shown.join(', ')}${more}.`;
}

/** A value by the kind of its field. What does not fit stays text, which the engine's parser refuses by name. */
function asField(engine: string, name: string, value: string): Taken {
  const kind = findEngine(engine)?.descriptor.config.find((field) => field.name === name)?.kind;
  if (kind === 'password') return { passwords: { [name]: value } };
  if (kind === 'number' && /^\d{1,15}$/.test(value)) return { values: { [name]: Number(value) } };
  if (kind === 'boolean' && isYes(value) !== null) return { values: { [name]: isYes(value) === true } };
  return { values: { [name]: value } };
}

/** Yes and no, as programs write them; null: neither. */
export const isYes = (value: string): boolean | null =>
  /^(true|yes|on|1)$/i.test(value) ? true : /^(false|no|off|0)$/i.test(value) ? false : null;

/**
 * The field `ssl` for a mode of libpq, MySQL or one of their drivers. Modes that only try TLS, and those that check the
 * certificate without the host's name, become the next stricter one.
 */
export function tlsOf(mode: string): Taken {
  const word = mode.toLowerCase().replaceAll(/[_ ]/g, '-');
  if (/^(disable|disabled)$/.test(word)) return { values: { ssl: 'disable' } };
  if (/^(require|required)$/.test(word)) return { values: { ssl: 'require' } };
  if (/^(verify-full|verify-identity)$/.test(word)) return { values: { ssl: 'verify-full' } };
  if (word === 'verify-ca')
    return {
      values: { ssl: 'verify-full' },
      note: 'The TLS mode verify-ca becomes verify-full: it checks the host name, too.',
    };
  if (/^(allow|prefer|preferred)$/.test(word))
    return {
      values: { ssl: 'require' },
      note: `The TLS mode ${word} becomes require: Dyno does not fall back to no TLS.`,
    };
  return { note: 'A TLS mode that Dyno does not know is not taken over.' };
}

/** A connection with a client certificate needs TLS; most programs use it without being told. */
export const withTlsForCertificate = (found: Found): Found =>
  found.values.cert !== undefined && found.values.ssl === undefined
    ? { ...found, values: { ...found.values, ssl: 'require' } }
    : found;

/** An entry that Dyno has no engine for; `what` names the product. */
export const noEngine = (name: string, what: string): Found => ({
  name,
  engine: null,
  values: {},
  passwords: {},
  notes: [],
  problem: `Dyno has no engine for ${what === '' ? 'a product that is not named' : `“${what.slice(0, 60)}”`}.`,
});

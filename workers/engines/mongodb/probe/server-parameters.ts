import type { Document } from 'mongodb';
import type { AskedParameters, ServerParameter } from '#model/settings/server-parameters.ts';
import { cacheParameter } from '../server-parameters.ts';

/** mongod gives WiredTiger whole MiB. */
const mib = 2 ** 20;

/** The cache's size is no parameter of the server, which tells it with its counters. */
export async function readServerParameters(
  admin: { command(command: Document): Promise<Document> },
  asked: AskedParameters,
): Promise<Readonly<Record<string, ServerParameter>>> {
  const names = Object.keys(asked);
  const found: Record<string, ServerParameter> = {};
  for (const name of names) {
    const wanted = asked[name] ?? null;
    if (name === cacheParameter) {
      const { wiredTiger } = await admin.command({ serverStatus: 1, repl: 0 });
      const bytes = Number(wiredTiger?.cache?.['maximum bytes configured']);
      const isAsked = wanted === null || Math.abs(Number(wanted) * 2 ** 30 - bytes) <= mib;
      found[name] = { value: Number.isFinite(bytes) ? String(bytes / 2 ** 30) : null, isAsked };
    } else {
      // A name that this version does not have is an error of the command.
      const value: unknown = (await admin.command({ getParameter: 1, [name]: 1 }).catch(() => null))?.[name];
      const text = value === undefined || value === null ? null : String(value);
      found[name] = { value: text, isAsked: wanted === null || (text !== null && isSame(wanted, text)) };
    }
  }
  return found;
}

/** True if the server reports the value as `found`. */
export const isSame = (asked: string, found: string): boolean =>
  Number.isNaN(Number(asked)) ? asked.toLowerCase() === found.toLowerCase() : Number(asked) === Number(found);

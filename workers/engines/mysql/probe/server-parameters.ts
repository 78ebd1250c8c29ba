import { bytesOfText } from '#model/format/size-text.ts';
import type { AskedParameters, ServerParameter } from '#model/settings/server-parameters.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { literal } from '../values/values.ts';
import { formatVariable } from './fingerprint.ts';

/** The servers round and limit values in silence, so each value is compared with the one that was asked for. */
export async function readServerParameters(
  connection: Pick<MysqlConnection, 'query'>,
  asked: AskedParameters,
): Promise<Readonly<Record<string, ServerParameter>>> {
  const names = Object.keys(asked);
  const { rows } = await connection.query(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.map(literal).join(', ')})`,
  );
  const values = new Map((rows ?? []).map(([name, value]) => [String(name).toLowerCase(), String(value)]));
  return Object.fromEntries(
    names.map((name) => {
      const found = values.get(name);
      const wanted = asked[name] ?? null;
      const isAsked = wanted === null || (found !== undefined && isSame(wanted, found));
      return [name, { value: found === undefined ? null : formatVariable(name, found), isAsked }];
    }),
  );
}

const switches: Readonly<Record<string, string>> = { on: '1', true: '1', yes: '1', off: '0', false: '0', no: '0' };

/** True if the server reports this value in this form: `1G` as 1073741824, and `true` as ON. */
export function isSame(asked: string, found: string): boolean {
  const [a, b] = [asked, found].map((text) => switches[text.toLowerCase()] ?? text.toLowerCase());
  const [left, right] = [a, b].map((text) => bytesOfText(text!));
  return left !== null && left !== undefined ? left === right : a === b;
}

import type { RunningServer } from '#engine-api/database.ts';
import { needsRestartText, unknownParameterText } from '#engine-api/support/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import { bytesOfText } from '#model/format/size-text.ts';
import type { ParameterState } from '#model/settings/server-parameters.ts';
import { runningServer } from '../../shared/running-server.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { literal } from '../values/values.ts';
import { formatVariable } from './fingerprint.ts';
import { isSame } from './server-parameters.ts';

/** ER_INCORRECT_GLOBAL_LOCAL_VAR: the variable is read-only. */
const readOnly = 1238;

/**
 * The user's server. Dyno uses SET GLOBAL and not SET PERSIST, so that the server's next restart undoes changes that
 * nobody has restored.
 */
export const mysqlRunningServer = (connection: MysqlConnection): RunningServer =>
  runningServer({
    async hold() {
      if (connection.pooler)
        throw new DynoError('unsupported', 'Dyno changes no parameters through a pooler.', {
          hint: 'Connect to the server itself.',
        });
      // A session takes its own lock again without waiting.
      const { rows } = await connection.query("SELECT GET_LOCK('dyno server parameters', 0)");
      return Number(rows?.[0]?.[0]) === 1;
    },
    async states(names, asked = {}) {
      const { rows } = await connection.query(
        `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.map(literal).join(', ')})`,
      );
      const values = new Map((rows ?? []).map(([name, value]) => [String(name).toLowerCase(), String(value)]));
      const states: Record<string, ParameterState> = {};
      for (const name of names) {
        const entry = values.get(name) ?? null;
        const wanted = asked[name];
        const rounded = entry === null || wanted === undefined ? null : await roundedBy(connection, name, wanted);
        states[name] =
          entry === null
            ? { value: null, entry, refusal: unknownParameterText(name) }
            : { value: formatVariable(name, entry), entry, refusal: null, ...(rounded !== null && { rounded }) };
      }
      return states;
    },
    async write(entries) {
      for (const [name, entry] of Object.entries(entries)) {
        try {
          await connection.query(`SET GLOBAL ${name} = ${valueText(entry ?? 'DEFAULT')}`);
        } catch (thrown) {
          if ((thrown as { readonly errno?: unknown } | null)?.errno !== readOnly) throw thrown;
          throw new DynoError('unsupported', needsRestartText(name));
        }
      }
    },
    isSame,
  });

/**
 * The value that the server makes of another one: the session tells it of variables that sessions have, too, and
 * MariaDB has the bounds and the steps of the others in its catalog. Null: nothing tells it.
 */
async function roundedBy(connection: MysqlConnection, name: string, asked: string): Promise<string | null> {
  try {
    await connection.query(`SET SESSION ${name} = ${valueText(asked)}`);
    const { rows } = await connection.query(`SELECT @@SESSION.${name}`);
    await connection.query(`SET SESSION ${name} = DEFAULT`);
    return String(rows?.[0]?.[0]);
  } catch {
    // A variable of the server alone, or a value that it refuses.
  }
  const number = valueText(asked);
  if (!/^\d+$/.test(number)) return null;
  try {
    const { rows } = await connection.query(
      `SELECT NUMERIC_MIN_VALUE, NUMERIC_MAX_VALUE, NUMERIC_BLOCK_SIZE FROM information_schema.SYSTEM_VARIABLES
        WHERE VARIABLE_NAME = ${literal(name)}`,
    );
    const [least, most, step] = (rows?.[0] ?? []).map((value) => BigInt(String(value)));
    if (least === undefined || most === undefined || step === undefined) return null;
    const whole = step > 0n ? (BigInt(number) / step) * step : BigInt(number);
    return String(whole < least ? least : whole > most ? most : whole);
  } catch {
    // MySQL has no such table, and a variable that is no number has no bounds.
    return null;
  }
}

/** SQL knows no sizes with letters, and takes words as texts. */
function valueText(entry: string): string {
  if (/^-?\d+(\.\d+)?$/.test(entry)) return entry;
  const bytes = /^\d/.test(entry) ? bytesOfText(entry) : null;
  return bytes === null ? literal(entry) : String(bytes);
}

import type { RunningServer } from '#engine-api/database.ts';
import { needsRestartText } from '#engine-api/support/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import { bytesOfText } from '#model/format/size-text.ts';
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
    async states(names) {
      const { rows } = await connection.query(
        `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.map(literal).join(', ')})`,
      );
      const values = new Map((rows ?? []).map(([name, value]) => [String(name).toLowerCase(), String(value)]));
      return Object.fromEntries(
        names.map((name) => {
          const entry = values.get(name) ?? null;
          return entry === null
            ? [name, { value: null, entry, refusal: `This server has no parameter ${name}.` }]
            : [name, { value: formatVariable(name, entry), entry, refusal: null }];
        }),
      );
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

/** SQL knows no sizes with letters, and takes words as texts. */
function valueText(entry: string): string {
  if (/^-?\d+(\.\d+)?$/.test(entry)) return entry;
  const bytes = /^\d/.test(entry) ? bytesOfText(entry) : null;
  return bytes === null ? literal(entry) : String(bytes);
}

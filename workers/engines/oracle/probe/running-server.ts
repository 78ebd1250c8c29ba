import type { RunningServer } from '#engine-api/database.ts';
import { needsRestartText } from '#engine-api/support/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import { bytesOfText } from '#model/format/size-text.ts';
import type { AskedParameters, ParameterState } from '#model/settings/server-parameters.ts';
import { judgedStates, runningServer } from '../../shared/running-server.ts';
import { toError } from '../errors.ts';

/** Runs a statement; returns its rows. */
type Ask = (sql: string, binds?: readonly string[]) => Promise<readonly (readonly unknown[])[]>;

/** A lock of the instance by number (DBMS_LOCK: 0 … 1073741823): 0 is granted, 4 is held by this session already. */
const holdSql = 'SELECT DBMS_LOCK.REQUEST(114880881, 6, 0) FROM dual';

/**
 * The root of a container database lists a row more for each pluggable database with a value of its own; a value of the
 * session's own container comes behind the value that it would inherit (Database Reference, "V$SYSTEM_PARAMETER").
 */
const statesSql = (count: number): string =>
  `SELECT name, value, issys_modifiable, ispdb_modifiable, SYS_CONTEXT('USERENV', 'CON_ID')
     FROM v$system_parameter
    WHERE name IN (${Array.from({ length: count }, (_, i) => `:${i + 1}`).join(', ')})
      AND con_id IN (0, TO_NUMBER(SYS_CONTEXT('USERENV', 'CON_ID')))
    ORDER BY con_id`;

/** The container that is the root; non-container databases have 0, and pluggable databases the numbers above. */
const root = 1;

/** A view or a package that a user has no right on is not there for the user. */
const unseen = ['ORA-00942', 'ORA-00904'];

/** Runs a statement of Dyno's own. Throws 'permission' where the user lacks the right on what it reads. */
const withRights =
  (ask: Ask): Ask =>
  async (sql, binds) => {
    try {
      return await ask(sql, binds);
    } catch (thrown) {
      const { code = null, message } = toError(thrown);
      if (code === null || !unseen.includes(code)) throw thrown;
      throw new DynoError('permission', message, { code });
    }
  };

/** A size may be written with a letter; words have no case. */
export function isSame(entry: string, found: string): boolean {
  const [left, right] = [bytesOfText(entry), bytesOfText(found)];
  return left !== null && right !== null ? left === right : entry.toLowerCase() === found.toLowerCase();
}

/** A number or a word stands in a statement as it is. */
const isSettable = (entry: string): boolean => /^-?\w+$/.test(entry);

async function statesOf(ask: Ask, names: readonly string[]): Promise<Readonly<Record<string, ParameterState>>> {
  const found = new Map((await withRights(ask)(statesSql(names.length), names)).map((row) => [String(row[0]), row]));
  return Object.fromEntries(names.map((name) => [name, stateOf(name, found.get(name))]));
}

function stateOf(name: string, row: readonly unknown[] | undefined): ParameterState {
  const [, given = null, modifiable, byPluggable, container] = row ?? [];
  const value = given === null ? null : String(given);
  if (value === null) return { value, entry: null, refusal: `This server has no value of ${name}.` };
  if (Number(container) > root && byPluggable === 'FALSE')
    return { value, entry: value, refusal: `${name} is changed in the root of the container database alone.` };
  const refusal =
    modifiable === 'IMMEDIATE'
      ? isSettable(value)
        ? null
        : `${name} is ${value}, which Dyno could not give back.`
      : modifiable === 'DEFERRED'
        ? `${name} is not changed for open sessions (ISSYS_MODIFIABLE is DEFERRED).`
        : needsRestartText(name);
  return { value, entry: value, refusal };
}

/** The values of the instance. */
export const readServerParameters = async (ask: Ask, asked: AskedParameters) =>
  judgedStates(await statesOf(ask, Object.keys(asked)), asked, isSame);

/** The user's instance. Dyno changes parameters in memory alone, so a restart of the instance undoes the changes. */
export const oracleRunningServer = (ask: Ask, isPooled: boolean): RunningServer =>
  runningServer({
    async hold() {
      if (isPooled)
        throw new DynoError('unsupported', 'Dyno changes no parameters through a pool.', {
          hint: 'Connect to a dedicated server.',
        });
      const [instance] = await withRights(ask)('SELECT parallel FROM v$instance');
      if (instance?.[0] === 'YES')
        throw new DynoError('unsupported', 'Dyno changes no parameters of a cluster, whose instances may differ.');
      const [answer] = await withRights(ask)(holdSql);
      return [0, 4].includes(Number(answer?.[0]));
    },
    states: (names) => statesOf(ask, names),
    async write(entries) {
      for (const [name, entry] of Object.entries(entries)) {
        if (entry === null || !isSettable(entry)) throw new DynoError('badInput', `${name} takes a number or a word.`);
        await ask(`ALTER SYSTEM SET ${name} = ${entry} SCOPE = MEMORY`);
      }
    },
    isSame,
  });

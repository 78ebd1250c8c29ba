import type { DrdaConnection } from '#drda/index.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { count } from '#engine-api/probe-info.ts';
import { query } from '../connection/query.ts';
import { toError } from '../errors.ts';
import { isMine, isOnDynosTables, me, sharedInfo } from './probe-statements.ts';

export const sessionsProbeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...sharedInfo,
  statements: { ...count('Statements prepared, of all sessions (connections included)'), role: 'parses' },
};

/** GemFire XD's manual, "SYS.SESSIONS". */
export const sessionsSql = `SELECT ${me} CURRENT_STATEMENT_UUID, CURRENT_STATEMENT, CURRENT_STATEMENT_STATUS FROM SYS.SESSIONS`;

/**
 * The family keeps its counters in statistics that SQL cannot read. SQL can read its sessions, and the number of the
 * probe's own statement: statements and connections have ascending numbers ("60-62-1" is the first execution of
 * statement 62 on connection 60).
 */
export function createSessionsProbe(connection: DrdaConnection): () => Promise<ProbeSample> {
  let refused: string | null = null;
  return async () => {
    if (refused !== null) return { counters: {}, gauges: {}, unavailable: [refused] };
    try {
      const rows = await query(connection, sessionsSql);
      const mine = rows.find(([, statement]) => isMine(statement));
      const others = rows.filter((row) => row !== mine);
      return {
        counters: { statements: Number(String(mine?.[0]).split('-')[1]) },
        gauges: {
          sessions: others.length,
          active: others.filter(([, statement, status]) => isExecuting(status) && isOnDynosTables(statement)).length,
        },
        unavailable: [],
      };
    } catch (error) {
      const data = toError(error);
      if (data.kind !== 'permission') throw error;
      refused = `SYS.SESSIONS: ${data.message} An administrator grants it: GRANT SELECT ON SYS.SESSIONS TO the user.`;
      return { counters: {}, gauges: {}, unavailable: [refused] };
    }
  };
}

const isExecuting = (status: unknown): boolean => String(status).startsWith('EXECUTING');

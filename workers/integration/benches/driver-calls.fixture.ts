import { oracleEmulator } from '#engines/oracle/emulator/oracle-emulator.fixture.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { serverOf } from './bench-server.fixture.ts';
import type { OwnCalls } from './calls.fixture.ts';

const experiment = (workload: string): string => `dyno: 1
name: Calls
question: What does a call cost?
dataset: { rows: 20000, key: id, columns: { id: { type: sequence }, payload: { type: text, length: 20 } } }
workload: ${workload}
targets: [noop]
measure: { repeats: 1 }
`;

/** Reads and inserts of single rows on a server whose engine has only the path of its driver. */
const driverCalls =
  (kind: ServerKind, method: 'bind' | 'prepared', product = kind.label) =>
  async () => {
    const server = await serverOf(kind);
    const calls = (operation: string, what: string): OwnCalls => ({
      name: `${kind.engine}-${what}`,
      title: `${product}, ${what}, 8 connections, 1 process`,
      run: (trials, changes = []) =>
        server.run(experiment(`{ operation: ${operation}, method: ${method}, connections: 8 }`), [
          `measure.repeats=${trials}`,
          ...changes,
        ]),
    });
    return {
      engine: kind.engine,
      paths: [[null, 'the driver']] as const,
      cases: [calls('readByKey', 'reads by key'), calls('insert', 'single-row inserts')],
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };

export const mongodbCalls = driverCalls(mongodb, 'bind');
/** An emulator answers in the place of Oracle Database: only the client's figures are those of oracledb's Thin mode. */
export const oracleCalls = driverCalls(oracleEmulator, 'prepared', 'Oracle protocol emulator');

import type { DrdaConnection } from '#drda/index.ts';
import type { StoredBytes } from '#engine-api/database.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';

/** SET ISOLATION's levels: none, uncommitted read, cursor stability, read stability, repeatable read. */
export type IsolationLevel = 'NONE' | 'UR' | 'CS' | 'RS' | 'RR';

/** The differences between Derby and SQLFire's family; one file each. */
export interface Dialect {
  readonly id: 'derby' | 'sqlfire';
  readonly booleanSql: 'BOOLEAN' | 'SMALLINT';
  /** The isolation of a session that sets none. */
  readonly defaultIsolation: IsolationLevel;
  /** The reason, as a sentence, why this server cannot have this table's options. Null: it can. */
  refusal(connection: DrdaConnection, table: TablePlan): Promise<string | null>;
  /** The clauses of CREATE TABLE behind its columns: empty, or with a space in front. */
  tableClauses(table: TablePlan): string;
  /** Levels of the descriptor that the server lacks, with the reasons. */
  readonly noIsolation: { readonly [I in IsolationLevel]?: string };
  /** True if an empty table is filled in one transaction; otherwise the calls commit by themselves. */
  readonly loadsInTransaction: boolean;
  /** Waits for the server's background work before the clock starts. */
  settle(connection: DrdaConnection, table: TablePlan): Promise<void>;
  fingerprint(connection: DrdaConnection): Promise<Fingerprint>;
  /** Database.identities(). Absent: the server shows none to SQL. */
  identities?(connection: DrdaConnection): Promise<readonly string[]>;
  createProbe(connection: DrdaConnection): () => Promise<ProbeSample>;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  storedBytes(connection: DrdaConnection, table: TablePlan): Promise<StoredBytes | null>;
}

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
  /** The isolation of a session that asks for none. */
  readonly defaultIsolation: IsolationLevel;
  /** The reason why this server cannot have this table's options, in words; null if it can. */
  refusal(connection: DrdaConnection, table: TablePlan): Promise<string | null>;
  /** The clauses of CREATE TABLE behind its columns; empty or with a space before them. */
  tableClauses(table: TablePlan): string;
  /** Levels of the descriptor's that it has not, and why. */
  readonly noIsolation: { readonly [I in IsolationLevel]?: string };
  /** True if an empty table is filled in one transaction; otherwise the calls commit by themselves. */
  readonly loadsInTransaction: boolean;
  /** Brings the server to rest before the clock. */
  settle(connection: DrdaConnection, table: TablePlan): Promise<void>;
  fingerprint(connection: DrdaConnection): Promise<Fingerprint>;
  /** Database.identities(). Absent: the server has none that SQL shows. */
  identities?(connection: DrdaConnection): Promise<readonly string[]>;
  createProbe(connection: DrdaConnection): () => Promise<ProbeSample>;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  storedBytes(connection: DrdaConnection, table: TablePlan): Promise<StoredBytes | null>;
}

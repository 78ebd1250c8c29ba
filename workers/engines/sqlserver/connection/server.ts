import type { Connection } from 'tedious';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { query } from '../wire/request.ts';

/** The server's facts, read once: some texts differ by version, and an emulator lacks views and statements. */
export interface Server {
  /** 16 is SQL Server 2022. */
  readonly major: number;
  /** "16.0.4115.5". */
  readonly version: string;
  readonly edition: string;
  /** Azure SQL Database (5), Managed Instance (8)…: SERVERPROPERTY('EngineEdition'). */
  readonly engineEdition: number;
  /** "Babelfish for PostgreSQL 4.3.0" for that product; null: SQL Server. */
  readonly emulator: string | null;
}

export const serverSql = `SELECT CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)) AS version,
       CAST(SERVERPROPERTY('Edition') AS nvarchar(128)) AS edition,
       CAST(SERVERPROPERTY('EngineEdition') AS int) AS engine_edition,
       CAST(SERVERPROPERTY('BabelfishVersion') AS nvarchar(128)) AS babelfish`;

export async function askServer(connection: Connection): Promise<Server> {
  const rows = await query<
    Record<'version' | 'edition' | 'babelfish', string | null> & { engine_edition: number | null }
  >(connection, serverSql);
  const { version, edition, engine_edition, babelfish } = rows[0]!;
  return {
    major: Number.parseInt(version ?? '', 10) || 0,
    version: version ?? '0',
    edition: edition ?? '',
    engineEdition: engine_edition ?? 0,
    emulator: babelfish === null ? null : `Babelfish for PostgreSQL ${babelfish}`,
  };
}

/** Azure SQL Database and its relatives have their own version numbers, and all features of the newest SQL Server. */
export const isAtLeast = ({ major, engineEdition }: Server, wanted: number): boolean =>
  major >= wanted || [5, 6, 8, 9, 11].includes(engineEdition);

/** The type of a column in bulk rows and table-valued parameters. Babelfish reads 16 bytes for every decimal there. */
export const rowType = (type: ColumnType, { emulator }: Server): ColumnType =>
  type.kind === 'decimal' && emulator !== null ? { ...type, precision: 38 } : type;

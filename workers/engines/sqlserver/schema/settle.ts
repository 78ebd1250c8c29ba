import type { Connection } from 'tedious';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import type { Server } from '../connection/server.ts';
import { toError } from '../errors.ts';
import { tableSql } from '../names.ts';
import { execute } from '../wire/request.ts';

export async function settle(connection: Connection, table: TablePlan, server: Server): Promise<void> {
  if (server.emulator === null) await execute(connection, `UPDATE STATISTICS ${tableSql(table)}`);
  await unlessDenied(toError, () => execute(connection, 'CHECKPOINT'));
}

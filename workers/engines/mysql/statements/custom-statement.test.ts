import { expect, test } from 'vitest';
import type { MysqlConnection } from '../connection/connection.ts';
import { typedNumbers } from '../connection/mysql2-driver.ts';
import { statementLanguage } from '../descriptor.ts';
import { prepareCustomStatement } from './custom-statement.ts';

/** A server with one table of MyISAM. */
const connection = {
  exact: typedNumbers,
  query: async () => ({ rows: [['shop', 'old_log', 'MyISAM']], affectedRows: 0, warnings: 0, columns: [] }),
} as unknown as MysqlConnection;

const why = async (text: string) => {
  const plan = { text, parameters: [], method: 'bind', tables: {}, options: {}, isRead: false } as const;
  return (await prepareCustomStatement(connection, 'dyno', plan, statementLanguage, async () => {})).notUndoneText?.();
};

test('a change of a table without transactions is known not to be undone', async () => {
  expect(await why('DELETE FROM shop.`OLD_LOG`')).toMatch(/shop\.old_log is a table of MyISAM/);
  expect(await why('DELETE FROM shop.old_log2 WHERE old = log')).toBeNull();
});

import { expect, test } from 'vitest';
import type { MysqlConnection } from '../connection/connection.ts';
import { readTableFacts } from './table-facts.ts';

/** A MySQL with one table, whose histograms cannot be read. */
const connection = {
  async query(text: string) {
    if (text.includes('information_schema.column_statistics'))
      throw new Error("Unknown table 'COLUMN_STATISTICS' in information_schema");
    if (text.includes('VERSION()')) return { rows: [['5.7.44']] };
    if (text.includes('information_schema.tables')) return { rows: [['shop', 'orders', 100, 0]] };
    if (text.includes('information_schema.columns'))
      return { rows: [['city', 'varchar', 'varchar(20)', 'YES', '', null]] };
    if (text.includes('information_schema.statistics')) return { rows: [['by_city', 1, 'city', 'A', 'BTREE', 12]] };
    return { rows: [] };
  },
} as unknown as MysqlConnection;

test('histograms that cannot be read are told with the reason, and indexes tell the number of different values', async () => {
  const [facts] = await readTableFacts(connection, 'shop', []);
  expect(facts?.notes).toEqual([
    "The histograms of orders could not be read (Unknown table 'COLUMN_STATISTICS' in information_schema): MySQL keeps them from 8.0 on.",
    'The number of rows of orders is an estimate of the storage engine.',
  ]);
  expect(facts?.columns[0]?.statistics).toMatchObject({ distinct: 12, nullShare: null });
});

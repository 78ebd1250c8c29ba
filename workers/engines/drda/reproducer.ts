import type { Reproducer } from '#engine-api/reproducer.ts';
import { derby } from './dialects/derby.ts';
import { sqlfire } from './dialects/sqlfire.ts';
import { schemaName, tableSql } from './names.ts';
import { addIndexSql } from './schema/indexes.ts';
import { createTableSql } from './schema/tables.ts';
import { statementsOf } from './statements/statements.ts';

const dialectOf = ({ dialect }: Readonly<Record<string, unknown>>) => (dialect === 'sqlfire' ? sqlfire : derby);
const inSchema = `SELECT 1 FROM SYS.SYSTABLES t JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID WHERE s.SCHEMANAME = '${schemaName}'`;

export const reproducer: Reproducer = {
  options: [],
  statement: ({ table, operation, settings }, rows, place) => statementsOf(table, operation, settings).sql(rows, place),
  objects: ({ table, target }) => [
    {
      exists: `SELECT 1 FROM SYS.SYSSCHEMAS WHERE SCHEMANAME = '${schemaName}'`,
      create: [`CREATE SCHEMA ${schemaName}`],
      usedBy: inSchema,
      drop: `DROP SCHEMA ${schemaName} RESTRICT`,
    },
    {
      create: [
        createTableSql(table, dialectOf(target)),
        ...(table.indexes ?? []).map((index) => addIndexSql(table, index)),
      ],
      drop: `DROP TABLE ${tableSql(table)}`,
    },
  ],
  node: () => ({ cannot: 'No package of npm speaks DRDA; scripts for Java have Derby’s own client.' }),
  jdbc({ target, table }) {
    if (table.partitions) return { cannot: 'A script creates tables that are not partitioned.' };
    const isBoolean = dialectOf(target).booleanSql === 'BOOLEAN';
    return {
      packages: ['org.apache.derby:derbyclient'],
      url: 'jdbc:derby://localhost:1527/database',
      properties: {},
      notes: ['Derby’s client needs the jars derbyclient and derbyshared on the class path.'],
      uuid: 'bytes',
      forms: {
        text: ["'", "'"],
        hexText: null,
        bytes: ["X'", "'"],
        uuid: ["X'", "'"],
        uuidDigits: 'hex',
        timestamp: ["TIMESTAMP('", "')"],
        booleans: isBoolean ? ['FALSE', 'TRUE'] : ['0', '1'],
      },
    };
  },
};

import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { makeRows, type Row, table as rowsTable, toBatch } from './rows.ts';
import { type StatementTexts, statementTexts } from './statement-texts.ts';
import type { Suite } from './suite.ts';

/** The parts that the checks of custom statements share. */
interface StatementSuite {
  readonly language: StatementLanguage | undefined;
  readonly texts: StatementTexts;
  /** The rows that the table holds before a check. */
  readonly rows: readonly Row[];
  /** The names of all columns. */
  readonly all: readonly string[];
  /** The methods of SQL statements on engines that keep rows; none on other engines. */
  readonly sqlMethods: readonly MethodName[];
  /** Prepares a text whose parameters are the columns of these names; `on` is the suite's session by default. */
  statement(
    table: TablePlan,
    text: string,
    method: MethodName,
    names: readonly string[],
    isRead?: boolean,
    on?: Session,
  ): Promise<CustomStatement>;
  /** The values of these columns of a row. */
  values(table: TablePlan, row: Row, names: readonly string[]): Batch;
}

export function statementSuite(suite: Suite): StatementSuite {
  const { descriptor, keepsRows, options, statementMethods } = suite;
  const language = descriptor.statements;
  const all = rowsTable('').columns.map(({ name }) => name);
  return {
    language,
    texts: statementTexts(language ?? { language: 'sql' }, all),
    rows: makeRows(0, 16),
    all,
    sqlMethods: language?.language === 'sql' && keepsRows ? statementMethods : [],
    statement(table, text, method, names, isRead = false, on = suite.session) {
      const parameters = names.map((name) => table.columns.find((column) => column.name === name)!);
      return on.prepareStatement!({ text, method, parameters, tables: { table }, options, isRead });
    },
    values(table, row, names) {
      const { columns } = toBatch([row]);
      return {
        rows: 1,
        columns: names.map((name) => columns[table.columns.findIndex((column) => column.name === name)]!),
      };
    },
  };
}

/** Runs the statement, and returns the rows touched; null: it was refused. */
export async function runOrRefuse(prepared: CustomStatement, batch: Batch): Promise<number | null> {
  try {
    return await prepared.run(prepared.encode(batch));
  } catch {
    return null;
  }
}

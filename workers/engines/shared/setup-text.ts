import type { SetupPlan } from '#engine-api/setup.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { extentOf } from '#model/statements/statement-extent.ts';
import { partsOf, type StatementLanguage } from '#model/statements/statement-text.ts';
import { severalStatements, tableOf } from './custom-statement.ts';

/** A placeholder within a quoted body. */
const inBody = /\{([a-z][a-z0-9_]{0,29})\}/g;

/**
 * A statement of `setup` with the names of its tables and objects. A body in dollar quotes is code, too; braces in it
 * that name no table are its own. Throws 'badInput' for a second statement. Pure.
 */
export function setupText(
  { text, tables }: SetupPlan,
  language: StatementLanguage,
  nameOf: (table: TablePlan) => string,
): string {
  const { end, next } = extentOf(text, language);
  if (next) throw severalStatements(next);
  return partsOf(language.refusesSemicolon ? text.slice(0, end) : text, language)
    .map((part) => {
      switch (part.kind) {
        case 'table':
          return nameOf(tableOf(tables, part.name));
        // Statements of setup have no parameters: `:new` is the row of a trigger.
        case 'parameter':
          return `:${part.name}`;
        case 'quoted':
          return part.text.startsWith('$') ? withNames(part.text, tables, nameOf) : part.text;
        default:
          return part.text;
      }
    })
    .join('');
}

const withNames = (body: string, tables: SetupPlan['tables'], nameOf: (table: TablePlan) => string): string =>
  body.replace(inBody, (written, name: string) => (Object.hasOwn(tables, name) ? nameOf(tables[name]!) : written));

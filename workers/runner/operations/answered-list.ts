import type { AnsweredRows } from '#engine-api/statement.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import type { ParameterSpec, ValueList } from '#model/statements/statements.ts';
import { firstWrong, fittingType } from './list-values.ts';

type Query = ParameterSpec & { readonly type: 'query' };

/**
 * The values of a column of an answer, with the type that the server gives them where the file says none. `what`: the
 * query in words. Throws 'badInput' without the column, and for values that are not of the file's type or inexact.
 */
export function answeredList(
  { columns, rows, exact = rows, types = [], own = [], declared = [], inexact = {} }: AnsweredRows,
  what: string,
  { as, column }: Pick<Query, 'as' | 'column'>,
): ValueList {
  if (rows.length === 0) return { as: as ?? 'text', values: [] };
  const index = column === undefined ? 0 : columns.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  if (index === -1 || columns.length === 0)
    throw new DynoError('badInput', `${what} answers without a column “${column ?? 1}”.`, {
      hint: columns.length === 0 ? 'Write a query that answers rows.' : `Its columns are ${columns.join(', ')}.`,
    });
  const shown = exact.map((row) => row[index] ?? null);
  const given = types[index] ?? 'text';
  const type = as ?? fittingType(given, shown);
  const lacking = inexact[index];
  if (lacking && type !== 'own' && (lacking.only ?? type) === type)
    throw new DynoError('badInput', `${what} answers values that cannot be sent exactly: ${lacking.why}`);
  const wrong = as === undefined ? -1 : firstWrong(as, shown);
  if (wrong !== -1)
    throw new DynoError(
      'badInput',
      `${what}, row ${formatCount(wrong + 1)}: “${shown[wrong]?.slice(0, 60)}” is no ${as}.`,
      { hint: 'Without `as`, the values keep the type that the server gives them.' },
    );
  const declaredAs = declared[index] ?? null;
  return {
    as: type,
    values: type === 'own' ? own.map((row) => row[index] ?? null) : shown,
    ...(declaredAs !== null && { declared: declaredAs }),
  };
}

import type { IndexSpec } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import { literalPattern } from '#model/text/literal-pattern.ts';
import { type AdvisedStatement, type AdvisedWork, type Candidate, indexOf } from './candidate.ts';
import { added, indexCandidates, takes } from './index-candidates.ts';
import { statementShape } from './read-statement.ts';
import type { StatementShape, WrappedCondition } from './statement-shape.ts';

/** Texts whose condition stands on the column itself, and indexes of the expression around a column. */
export const rewriteCandidates = (work: AdvisedWork): readonly Candidate[] =>
  work.statements.flatMap((statement) =>
    (statement.shape?.wrapped ?? []).flatMap((wrapped) => [
      ...rewritten(work, statement, wrapped),
      ...indexed(work, statement, statement.shape!, wrapped),
    ]),
  );

function rewritten(work: AdvisedWork, statement: AdvisedStatement, wrapped: WrappedCondition): readonly Candidate[] {
  const condition = plainCondition(wrapped);
  const language = work.descriptor.statements;
  if (condition === null || language === undefined) return [];
  const text = `${statement.text.slice(0, wrapped.start)}${condition}${statement.text.slice(wrapped.end)}`;
  const own = { statements: { [statement.name]: { text: { [work.descriptor.id]: text } } } };
  const alone: Candidate = {
    kind: 'rewrite',
    title: `${statement.name} with ${wrapped.column} alone instead of ${wrapped.expression}`
      .replaceAll(/\s+/g, ' ')
      .slice(0, 110),
    why: `No index of ${wrapped.column} serves ${wrapped.expression}; the column itself may be looked up.`,
    tables: [],
    statements: [statement.name],
    steps: [{ do: 'replaceText', statement: statement.name, text }],
    change: own,
  };
  const shape = statementShape(text, language, allTables(work.experiment));
  const indexes = indexCandidates({ ...work, statements: [{ ...statement, text, shape, plan: null }] });
  return [
    alone,
    ...indexes
      .filter(({ kind }) => kind === 'missingIndex')
      .map(
        (one): Candidate => ({
          ...one,
          kind: 'rewriteAndIndex',
          title: `${alone.title.slice(0, 60)}, and ${one.title}`.slice(0, 110),
          why: `${alone.why} No index begins with it so far.`,
          steps: [...alone.steps, ...one.steps],
          change: { ...one.change, ...own },
        }),
      ),
  ];
}

/** A condition on the column itself that selects the same rows; null: none is known. */
function plainCondition({ expression, written, value }: WrappedCondition): string | null {
  const column = literalPattern(written);
  const is = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'is').exec(expression.trim());
  if (is(`date\\s*\\(\\s*${column}\\s*\\)|cast\\s*\\(\\s*${column}\\s+as\\s+date\\s*\\)|${column}\\s*::\\s*date`)) {
    const day = `CAST(${value} AS DATE)`;
    return `(${written} >= ${day} AND ${written} < ${day} + INTERVAL '1' DAY)`;
  }
  const year = /^\s*(\d{4})\s*$/.exec(value)?.[1];
  if (year !== undefined && is(`year\\s*\\(\\s*${column}\\s*\\)|extract\\s*\\(\\s*year\\s+from\\s+${column}\\s*\\)`))
    return `(${written} >= '${year}-01-01' AND ${written} < '${String(Number(year) + 1).padStart(4, '0')}-01-01')`;
  const sum = is(`${column}\\s*([+-])\\s*(\\d+|:\\w+)`);
  if (sum) return `${written} = ${value} ${sum[1] === '+' ? '-' : '+'} ${sum[2]}`;
  return null;
}

/** An index of the expression itself, where the engine has such indexes. */
function indexed(
  work: AdvisedWork,
  statement: AdvisedStatement,
  shape: StatementShape,
  { table, expression, written, column }: WrappedCondition,
): readonly Candidate[] {
  const dataset = table === null ? undefined : allTables(work.experiment)[table];
  if (table === null || dataset === undefined || !takes(work, 'expression') || /[:{]/.test(expression)) return [];
  const text = expression.replaceAll(written, column);
  const isPresent = (dataset.indexes ?? []).some(({ columns: [first] }) => isExpression(first, text));
  if (isPresent || shape.verb === 'insert') return [];
  const index = indexOf([{ expression: text }]);
  return [
    added(work, 'expressionIndex', table, index, [statement.name], {
      why: `“${statement.name}” looks for ${expression}, which an index of the column does not serve.`,
    }),
  ];
}

const isExpression = (part: IndexSpec['columns'][number] | undefined, text: string): boolean =>
  typeof part === 'object' && 'expression' in part && part.expression === text;

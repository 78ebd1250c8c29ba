import type { DatabaseSync } from 'node:sqlite';
import { type PlanStep, type PlanStepKind, planTexts, type QueryPlan, unknownStep } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { mayStopEarly } from '../shared/query-plan.ts';
import type { SqliteValue } from './values.ts';

/** A row of EXPLAIN QUERY PLAN. */
interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The answer of EXPLAIN QUERY PLAN for a statement: SQLite estimates and counts no rows there. */
export async function queryPlanOf(
  database: DatabaseSync,
  text: string,
  values: readonly SqliteValue[],
): Promise<QueryPlan> {
  const command = 'EXPLAIN QUERY PLAN';
  const rows = database
    .prepare(`${command} ${text}`)
    .all(...values)
    .map(({ id, parent, detail }) => ({ id: Number(id), parent: Number(parent), detail: String(detail) }));
  const steps = planSteps(rows, text);
  if (steps.length === 0) throw new DynoError('unsupported', 'SQLite names no step for the statement.');
  return { command, executed: false, steps, ...planTexts(text, printedPlan(rows)) };
}

/** The plan as SQLite's shell prints it (shell.c, eqp_render_level): "|--" before a step, "`--" before the last one. */
function printedPlan(rows: readonly PlanRow[]): string {
  const below = (parent: number, indent: string): readonly string[] => {
    const own = rows.filter((row) => row.parent === parent);
    return own.flatMap(({ id, detail }, i) => {
      const isLast = i === own.length - 1;
      return [`${indent}${isLast ? '`--' : '|--'}${detail}`, ...below(id, `${indent}${isLast ? '   ' : '|  '}`)];
    });
  };
  return ['QUERY PLAN', ...below(0, '')].join('\n');
}

/** The steps of a statement's plan: rows come in pre-order, with the ids of their parents (0: none). Pure. */
function planSteps(rows: readonly PlanRow[], text: string): readonly PlanStep[] {
  const extent = mayStopEarly(text) ? 'mayStop' : 'toEnd';
  const depths = new Map([[0, -1]]);
  return rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return stepOf(detail, depth, extent);
  });
}

/**
 * Source: wherecode.c and select.c of SQLite write "SCAN t", "SEARCH t USING INDEX i (a=?)", "USE TEMP B-TREE FOR …". A
 * table with an alias has the alias.
 */
function stepOf(detail: string, depth: number, extent: PlanStep['extent']): PlanStep {
  const read = /^(SCAN|SEARCH) (?!CONSTANT ROW|\d+-ROW |.* VIRTUAL TABLE )(.+?)(?: USING (.+?)(?: \(.*)?)?$/.exec(
    detail,
  );
  const [, verb = null, table = null, using = ''] = read ?? [];
  const [, access = using, index = null] = /^(.*INDEX) (.+)$/.exec(using) ?? [];
  return {
    ...unknownStep,
    depth,
    kind: verb === null ? otherKind(detail) : kindOf(verb, using),
    operator: verb === null ? detail : `${verb}${access === '' ? '' : ` USING ${access}`}`,
    table,
    index: using.startsWith('AUTOMATIC') ? null : index,
    extent,
    details: verb === null ? [] : [detail],
  };
}

const otherKind = (detail: string): PlanStepKind => (/^USE TEMP B-TREE FOR .*ORDER BY/.test(detail) ? 'sort' : 'other');

/** An automatic index is built for each execution, from all rows. */
const kindOf = (verb: string, using: string): PlanStepKind =>
  using.startsWith('AUTOMATIC') ? 'hash' : verb === 'SEARCH' ? 'indexSeek' : using === '' ? 'fullScan' : 'indexScan';

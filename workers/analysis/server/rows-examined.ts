import { isContender } from '#planning/rates/contenders.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { serverSummaries } from './server-summary.ts';

/** Rows, or pages, that a server read for the calls of a cell, by its own counters, over all repeats. */
interface RowsExamined extends Cell {
  /** The server's words for its counters. */
  readonly counters: string;
  readonly calls: number;
  /** Rows, documents or index entries that the server read; pages if it counts none of them. */
  readonly examined: number;
  readonly unit: 'rows' | 'pages';
  /** Rows returned or changed; null: the servers counted them for some calls only. */
  readonly touched: number | null;
}

/**
 * The cells that search for rows on servers that count rows read. The counters cover the whole server or database, so
 * they include the reads of other sessions and of Dyno's probes.
 */
export function rowsExamined(model: RunModel): readonly RowsExamined[] {
  return serverSummaries(model).flatMap(({ variant, target, roles, labels }): readonly RowsExamined[] => {
    const operation = variantOf(model.plan, variant)?.settings.operation;
    const unit = roles.rowsExamined === undefined ? 'pages' : 'rows';
    const examined = roles[roleOf[unit]];
    if (examined === undefined || operation === undefined || operation === 'insert' || operation === 'copy') return [];
    if (!isContender(model, target)) return [];
    const ok = model.trials.flatMap(({ trial, result }) =>
      trial.variant === variant && trial.target === target && result?.status === 'ok' ? [result] : [],
    );
    const statements = ok.flatMap((one) => (one.statements ?? []).filter(({ kind }) => kind === 'statement'));
    const counted = operation === 'statement' ? statements : ok.map(({ totals }) => totals);
    const sum = (of: (one: { readonly calls: number; readonly rows: number }) => number) =>
      counted.reduce((total, one) => total + of(one), 0);
    const calls = sum((one) => one.calls);
    if (calls === 0) return [];
    const isWhole = statements.every(({ uncounted = 0 }) => uncounted === 0);
    return [
      {
        variant,
        target,
        counters: labels[roleOf[unit]] ?? '',
        calls,
        examined,
        unit,
        touched: isWhole ? sum(({ rows }) => rows) : null,
      },
    ];
  });
}

const roleOf = { rows: 'rowsExamined', pages: 'pagesExamined' } as const;

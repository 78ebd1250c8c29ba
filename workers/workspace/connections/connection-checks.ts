import { join } from 'node:path';
import * as v from 'valibot';
import { type CheckReport, type CheckSummary, checkStepTitles } from '#model/connections.ts';
import type { Home } from '#platform/paths.ts';
import { ms } from '#protocol/read-values.ts';
import { openLastChecks } from '../last-checks.ts';

const summarySchema = v.object({
  at: v.string(),
  state: v.picklist(['ok', 'limited', 'failed']),
  product: v.nullable(v.string()),
  roundTripMs: v.nullable(ms),
  failedStep: v.nullable(v.picklist(Object.keys(checkStepTitles) as (keyof typeof checkStepTitles)[])),
  message: v.nullable(v.string()),
});

const checksOf = (home: Home) => openLastChecks(join(home.state, 'connection-checks.json'), summarySchema);

/** The last check of a connection; null if it was not checked, or has changed since. */
export const lastCheck = (home: Home, id: string): CheckSummary | null => checksOf(home).last(id);

/** A cancelled check has no result. */
export function noteCheck(home: Home, id: string, report: CheckReport): void {
  const { state, product, roundTripMs, steps } = report;
  if (state === 'running' || state === 'cancelled') return;
  const failed = steps.find((one) => one.state === 'failed');
  checksOf(home).note(id, {
    at: new Date().toISOString(),
    state,
    product,
    roundTripMs,
    failedStep: failed?.step ?? null,
    message: failed?.error?.message ?? null,
  });
}

/** The connection has changed since it was checked. */
export const forgetCheck = (home: Home, id: string): void => checksOf(home).forget(id);

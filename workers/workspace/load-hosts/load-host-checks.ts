import { join } from 'node:path';
import * as v from 'valibot';
import type { LoadHostCheck, LoadHostReport } from '#model/load-host-check.ts';
import { loadHostStepTitles } from '#model/load-host-check.ts';
import type { Home } from '#platform/paths.ts';
import { amount, ms, ordinal } from '#protocol/read-values.ts';
import { openLastChecks } from '../last-checks.ts';

const checkSchema = v.object({
  at: v.string(),
  state: v.picklist(['ok', 'limited', 'failed']),
  cores: v.nullable(ordinal),
  roundTripMs: v.nullable(ms),
  callsPerSecond: v.nullable(amount),
  failedStep: v.nullable(v.picklist(Object.keys(loadHostStepTitles) as (keyof typeof loadHostStepTitles)[])),
});

const checksOf = (home: Home) => openLastChecks(join(home.state, 'load-host-checks.json'), checkSchema);

/** The last test of a load host; null if it was not tested, or has changed since. */
export const lastHostCheck = (home: Home, name: string): LoadHostCheck | null => checksOf(home).last(name);

/** A cancelled test has no result. */
export function noteHostCheck(home: Home, name: string, report: LoadHostReport): void {
  const { state, machine, roundTripMs, callsPerSecond, steps } = report;
  if (state === 'running' || state === 'cancelled') return;
  checksOf(home).note(name, {
    at: new Date().toISOString(),
    state,
    cores: machine?.cores ?? null,
    roundTripMs,
    callsPerSecond,
    failedStep: steps.find((one) => one.state === 'failed')?.step ?? null,
  });
}

/** The load host has changed since it was tested. */
export const forgetHostCheck = (home: Home, name: string): void => checksOf(home).forget(name);

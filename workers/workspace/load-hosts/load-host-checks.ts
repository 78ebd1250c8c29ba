import { join } from 'node:path';
import * as v from 'valibot';
import type { LoadHostCheck, LoadHostReport } from '#model/load-host-check.ts';
import { loadHostStepTitles } from '#model/load-host-check.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import { amount, ms, ordinal } from '#protocol/read-values.ts';

const checkSchema = v.object({
  at: v.string(),
  state: v.picklist(['ok', 'limited', 'failed']),
  cores: v.nullable(ordinal),
  roundTripMs: v.nullable(ms),
  callsPerSecond: v.nullable(amount),
  failedStep: v.nullable(v.picklist(Object.keys(loadHostStepTitles) as (keyof typeof loadHostStepTitles)[])),
});
const fileSchema = v.record(v.string(), checkSchema);

/** How each load host's last test went, by name. A cache: without it load hosts only look untested. */
const fileOf = (home: Home): string => join(home.state, 'load-host-checks.json');

const readAll = (home: Home): Readonly<Record<string, LoadHostCheck>> => {
  const parsed = v.safeParse(fileSchema, readJson(fileOf(home)));
  return parsed.success ? parsed.output : {};
};

/** How the last test of a load host went; null: it was not tested, or is not the one that was. */
export function lastHostCheck(home: Home, name: string): LoadHostCheck | null {
  const all = readAll(home);
  return Object.hasOwn(all, name) ? (all[name] ?? null) : null;
}

/** A cancelled test says nothing. */
export function noteHostCheck(home: Home, name: string, report: LoadHostReport): void {
  const { state, machine, roundTripMs, callsPerSecond, steps } = report;
  if (state === 'running' || state === 'cancelled') return;
  const check: LoadHostCheck = {
    at: new Date().toISOString(),
    state,
    cores: machine?.cores ?? null,
    roundTripMs,
    callsPerSecond,
    failedStep: steps.find((one) => one.state === 'failed')?.step ?? null,
  };
  write(home, { ...readAll(home), [name]: check });
}

/** The load host is not the one that was tested any more. */
export function forgetHostCheck(home: Home, name: string): void {
  const { [name]: known, ...rest } = readAll(home);
  if (known) write(home, rest);
}

function write(home: Home, all: Readonly<Record<string, LoadHostCheck>>): void {
  try {
    writeAtomically(fileOf(home), JSON.stringify(all));
  } catch {
    // A full disk must not take the report of the test along.
  }
}

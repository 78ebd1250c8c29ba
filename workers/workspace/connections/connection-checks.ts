import { join } from 'node:path';
import type { CheckReport, CheckSummary } from '#model/connections.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/** How each connection's last check went. A cache: without it connections only look unchecked. */
const fileOf = (home: Home): string => join(home.state, 'connection-checks.json');

const readAll = (home: Home): Readonly<Record<string, CheckSummary>> => {
  const value = readJson(fileOf(home));
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, CheckSummary>>) : {};
};

export function lastCheck(home: Home, id: string): CheckSummary | null {
  const all = readAll(home);
  const found = Object.hasOwn(all, id) ? all[id] : undefined;
  return found && ['ok', 'limited', 'failed'].includes(found.state) ? found : null;
}

/** A cancelled check says nothing. */
export function noteCheck(home: Home, id: string, report: CheckReport): void {
  const { state, product, roundTripMs, steps } = report;
  if (state === 'running' || state === 'cancelled') return;
  const failed = steps.find((one) => one.state === 'failed');
  const summary: CheckSummary = {
    at: new Date().toISOString(),
    state,
    product,
    roundTripMs,
    failedStep: failed?.step ?? null,
    message: failed?.error?.message ?? null,
  };
  write(home, { ...readAll(home), [id]: summary });
}

/** The connection is not the one that was checked any more. */
export function forgetCheck(home: Home, id: string): void {
  const { [id]: known, ...rest } = readAll(home);
  if (known) write(home, rest);
}

function write(home: Home, all: Readonly<Record<string, CheckSummary>>): void {
  try {
    writeAtomically(fileOf(home), JSON.stringify(all));
  } catch {
    // A full disk must not take the report of the check along.
  }
}

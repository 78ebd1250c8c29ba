import type { Experiment } from '#experiment/schema/experiment.ts';
import { missedLanguage, textFor } from '#experiment/statements/statement-mix.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { formatFoundRows, foundRows } from '#model/statements/found-rows.ts';
import type { ShownRows } from '#model/statements/statements.ts';
import type { CheckResult } from '#protocol/measurement.ts';
import { type LoadedTables, plansOf } from '#protocol/messages.ts';
import type { Control } from '../worker/control.ts';

/** Maximum number of stored rows per check, and of characters per value. */
const mostKept = 5;
/** Maximum number of counted rows. */
const mostCounted = 1_000;
const mostCharacters = 200;

/** Runs the experiment's checks one after the other, untimed. Throws the server's error if it refuses one. */
export async function runChecks(
  control: Control,
  { checks = {} }: Pick<Experiment, 'checks'>,
  tables: LoadedTables,
  options: Options,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { descriptor, planned } = control;
  if (descriptor.reference) return [];
  const choice = { target: planned.name, engine: planned.engine };
  const results: CheckResult[] = [];
  for (const [name, { text }] of Object.entries(checks)) {
    const chosen = textFor(text, choice);
    const isAsked = chosen !== null && descriptor.statements && !missedLanguage(chosen, descriptor.statements);
    const asked = { call: 'query', text: chosen ?? '', tables: plansOf(tables), options, most: mostCounted } as const;
    const request = { ...asked, isUndone: false };
    try {
      results.push({ name, found: isAsked ? kept(await control.ask(request, signal)) : null });
    } catch (thrown) {
      const { kind, message, ...more } = toErrorData(thrown);
      throw new DynoError(kind, `The check “${name}” could not be asked: ${message}`, more);
    }
  }
  return results;
}

const kept = (found: ShownRows): ShownRows => ({
  ...found,
  rows: found.rows
    .slice(0, mostKept)
    .map((row) =>
      row.map((value) =>
        value !== null && value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value,
      ),
    ),
});

/** The error of a trial whose checks found rows; null if all executed checks hold. */
export function failedChecks(checks: readonly CheckResult[]): ErrorData | null {
  const wrong = checks.flatMap(({ name, found }) =>
    found !== null && foundRows(found) > 0 ? [`“${name}” found ${formatFoundRows(found, 1)}`] : [],
  );
  if (wrong.length === 0) return null;
  const hint =
    'Try the check once: rows that it finds in tables as they are loaded come from the data or from the check itself, others from what the statements did.';
  const which = wrong.length === 1 ? 'A check does' : 'Checks do';
  return new DynoError('wrongResult', `${which} not hold: ${wrong.join('. ')}.`, { hint }).data;
}

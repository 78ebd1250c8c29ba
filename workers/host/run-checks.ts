import type { Experiment } from '#contract/experiment.ts';
import { type LoadedTables, plansOf } from '#contract/messages.ts';
import type { Options } from '#contract/settings.ts';
import { missedLanguage, textFor } from '#contract/statement-mix.ts';
import type { ShownRows } from '#contract/statements.ts';
import type { Control } from './control.ts';

/** What the experiment's own checks found. */
export interface ChecksOutcome {
  /** The first that does not hold, in words; null: all hold that were asked. */
  readonly wrong: string | null;
  /** Which hold, and which were not asked, in words; empty without checks. */
  readonly words: string;
}

/** Asks the experiment's checks one after the other, outside of any clock; the first that does not hold ends it. */
export async function runChecks(
  control: Control,
  { checks = {} }: Pick<Experiment, 'checks'>,
  tables: LoadedTables,
  options: Options,
  signal: AbortSignal,
): Promise<ChecksOutcome> {
  const { descriptor, planned } = control;
  if (descriptor.reference) return { wrong: null, words: '' };
  const choice = { target: planned.name, engine: planned.engine };
  const notAsked: string[] = [];
  let hold = 0;
  for (const [name, { text }] of Object.entries(checks)) {
    const chosen = textFor(text, choice);
    if (chosen === null || !descriptor.statements || missedLanguage(chosen, descriptor.statements)) {
      notAsked.push(`\`${name}\``);
      continue;
    }
    const found = await control.ask({ call: 'query', text: chosen, tables: plansOf(tables), options, most: 1 }, signal);
    if (found.count > 0) return { wrong: wrongWords(name, found), words: '' };
    hold++;
  }
  return {
    wrong: null,
    words: [
      ...(hold > 0 ? [`Checks: ${hold} ${hold === 1 ? 'holds' : 'hold'}.`] : []),
      ...(notAsked.length > 0
        ? [`Not checked on ${descriptor.label}, for want of a text: ${notAsked.join(', ')}.`]
        : []),
    ].join(' '),
  };
}

function wrongWords(name: string, { count, columns, rows: [first = []] }: ShownRows): string {
  const values = first.map((value, c) => [columns[c], value ?? 'null'].filter(Boolean).join(' '));
  return `check \`${name}\`: ${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}, the first: ${values.join(', ')}.`;
}

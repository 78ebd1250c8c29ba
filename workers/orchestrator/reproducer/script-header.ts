import type { ReproducedClient } from '#engine-api/reproducer.ts';
import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { ReproducedCell } from './reproduced-cell.ts';

/** The figures of a cell of a run, as sentences, and the facts about the servers and the machine. */
export interface MeasuredCell {
  /** The server's product and version; null: no run has seen it. */
  readonly server: string | null;
  /** The versions of the drivers in the run, by their packages. */
  readonly drivers: Readonly<Record<string, string>>;
  /** Sentences with the figures of the run, and facts about the machine. */
  readonly sentences: readonly string[];
}

/** The words about a script, before its code: each line is one paragraph. */
export function headerText(
  { plan, target, variant, work, dataset, loadedRows }: ReproducedCell,
  { environment, notes }: Pick<ReproducedClient, 'environment' | 'notes'>,
  packages: readonly string[],
  { engine, measured }: { readonly engine: string; readonly measured: MeasuredCell | null },
): readonly string[] {
  const { connections, rowsPerCall, callsPerCommit } = work.settings;
  return [
    `A script of Dyno that repeats one cell of the experiment “${plan.experiment.name}”.`,
    `Question: ${plan.experiment.question}`,
    `Variant: ${variant.label}. Target: ${target.name} (${engine}).`,
    `Work: ${work.operation} by ${work.method}, ${many(rowsPerCall, 'row')} per call, ${
      callsPerCommit === 1 ? 'each call commits by itself' : `a commit after ${formatCount(callsPerCommit)} calls`
    }, ${many(connections, 'connection')}, ${loadedRows === 0 ? 'into an empty table' : `on ${many(loadedRows, 'row')}`}.`,
    `Rows: row n has the same values as in Dyno with the seed ${dataset.seed}.`,
    ...(measured === null
      ? ['The script was made from the experiment, not from a run, so that it has no figures to compare with.']
      : [...(measured.server === null ? [] : [`Server of the run: ${measured.server}.`]), ...measured.sentences]),
    ...(packages.length === 0 ? [] : [`Packages: ${packages.join(', ')}.`]),
    ...environment,
    ...notes,
    'Differences from Dyno: the script is one process, stops at the first error and tries nothing again, and waits for no maintenance of the server between the load and the measurement.',
    'The script creates the table that Dyno creates, under a name of its own, and drops at its end only what it has created.',
  ];
}

/**
 * A text from outside in a comment: letters, digits and harmless signs, on one line. Everything else becomes a question
 * mark, because comments end at characters that differ between languages, and clients of SQL carry out some words in
 * them ($(name) of sqlcmd, & of sqlplus, \ of psql, \u of Java).
 */
const commentText = (text: string): string =>
  text
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[^\p{L}\p{N} .,;:()+=_'"“”’·×±%°<>?–—…/µ@#-]/gu, '?')
    .replaceAll(/--+/g, '-');

const signs: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '’': "'",
  '–': '-',
  '—': '-',
  '±': '+-',
  '×': 'x',
};

/** A text in ASCII, for compilers that read files in the character set of the machine. */
export const asciiText = (text: string): string => text.replaceAll(/[^\x20-\x7e\n]/g, (one) => signs[one] ?? '.');

/** Lines of at most 110 characters. */
export function wrapped(paragraphs: readonly string[], prefix: string): string {
  const lines = paragraphs.flatMap((paragraph) => {
    const made = [''];
    for (const word of commentText(paragraph).split(' ')) {
      const last = made.at(-1)!;
      if (last !== '' && last.length + word.length > 110) made.push(`  ${word}`);
      else made[made.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return made;
  });
  return lines.map((line) => `${prefix} ${line}`.trimEnd()).join('\n');
}

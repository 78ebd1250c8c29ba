import { many } from '#model/text/count-words.ts';
import { keyOf } from './cell-key.ts';
import type { Caveat, Damage, RunModel, TrialView } from './model.ts';

/** As many as a reader wants to see of one file. */
const mostShown = 10;

export const noDamage: Damage = { lines: 0, messages: [], unknown: 0 };

export const withDamage = ({ lines, messages, unknown }: Damage, message: string): Damage => ({
  lines: lines + 1,
  messages: messages.length < mostShown ? [...messages, message] : messages,
  unknown,
});

/** What of the file could not be used, in a sentence or more; empty: all of it could. */
export function damageInWords({ lines, messages, unknown }: Damage): readonly string[] {
  const more = lines - messages.length;
  return [
    ...(lines === 0
      ? []
      : [
          `${many(lines, 'line')} of the run file cannot be used and ${lines === 1 ? 'is' : 'are'} left out. ${messages.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${many(unknown, 'record')} of the run file ${unknown === 1 ? 'is' : 'are'} of a kind that this version does not know, and left out: a newer Dyno wrote it.`,
        ]),
  ];
}

/** What could not be read of the whole file, and the cells whose trials have no result for it. */
export function damageCaveats({ damage, trials }: Pick<RunModel, 'damage' | 'trials'>): readonly Caveat[] {
  const title = 'Run file damaged';
  const lost = Map.groupBy(
    trials.filter((view) => view.damage !== null),
    ({ trial }) => keyOf(trial),
  );
  return [
    ...damageInWords({ ...damage, unknown: 0 }).map((text): Caveat => ({ severity: 'error', cell: null, title, text })),
    ...damageInWords({ ...noDamage, unknown: damage.unknown }).map(
      (text): Caveat => ({ severity: 'warning', cell: null, title: 'Run file of a newer version', text }),
    ),
    ...[...lost.values()].map((views): Caveat => {
      const { variant, target } = views[0]!.trial;
      return { severity: 'error', cell: { variant, target }, title: 'Damaged', text: lostInWords(views) };
    }),
  ];
}

const lostInWords = (views: readonly TrialView[]): string =>
  `${many(views.length, 'trial')} ${views.length === 1 ? 'has' : 'have'} no result, because the run file is damaged. ${views[0]!.damage}`;

import { many } from '#model/format/plural.ts';
import type { Damage } from './run-model.ts';

/** The most messages that are kept for one file. */
const mostShown = 3;

export const noDamage: Damage = { lines: 0, messages: [], unknown: 0 };

export const withDamage = ({ lines, messages, unknown }: Damage, message: string): Damage => ({
  lines: lines + 1,
  messages: messages.length < mostShown ? [...messages, message] : messages,
  unknown,
});

/** Describes the unusable parts of the file in sentences; empty if the whole file is usable. */
export function damageText({ lines, messages, unknown }: Damage): readonly string[] {
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

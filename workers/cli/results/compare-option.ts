import { DynoError } from '#model/error.ts';
import type { Compare } from '#planning/rates/baseline.ts';
import { text, type Values } from '../command.ts';

/** The option of commands that print the ratios of a run. */
export const compareOption = {
  compare: {
    type: 'string',
    about: 'What ratios compare: “targets” or “levels”. Default: as the experiment says.',
  },
} as const;

/** The comparison that the option names; undefined without the option. */
export function comparedBy(values: Values): Compare | undefined {
  const word = text(values, 'compare');
  if (word === undefined || word === 'targets' || word === 'levels') return word;
  throw new DynoError('badInput', '--compare takes “targets” or “levels”.');
}

import { many } from '#model/format/plural.ts';
import type { Caveat, RunModel } from '../run-model/run-model.ts';

/** Sessions, tables and changed parameters that remained on a server after the run ended. */
export const sessionCaveats = ({ sessionsLeft }: Pick<RunModel, 'sessionsLeft'>): readonly Caveat[] =>
  sessionsLeft.flatMap(({ target, tag, left, tables, held, parameters }) => [
    ...(left === null || left === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            cell: null,
            title: 'Sessions are left on the server',
            text: `${many(left, 'session')} of this run ${left === 1 ? 'was' : 'were'} still on ${target} after its end. They are called dyno-${tag} there; an administrator of the server can end them.`,
          },
        ]),
    ...(tables.length === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            cell: null,
            title: 'Tables are left on the server',
            text: `${tables.join(', ')} could not be dropped on ${target}, which did not answer. The next run there drops ${tables.length === 1 ? 'it' : 'them'}, and so does dyno clean ${target} --yes.`,
          },
        ]),
    ...(held.length === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            cell: null,
            title: 'Tables are held on the server',
            text: `Tables of this run remain on ${target}. ${held.join(' ')}`,
          },
        ]),
    ...(parameters.length === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            cell: null,
            title: 'Parameters are changed on the server',
            text: parameters.join(' '),
          },
        ]),
  ]);

/** Dyno stopped the run by itself. */
export const haltCaveat = ({ halted }: Pick<RunModel, 'halted'>): Caveat | null =>
  halted === null ? null : { severity: 'warning', cell: null, title: 'The run ended itself', text: halted };

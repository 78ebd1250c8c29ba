import { DynoError } from '#model/error.ts';
import type { Missing } from '../../process/server-kind.ts';
import { findProgram } from '../tools.ts';
import type { Installable } from './installable.ts';

/** The program that unpacks npm's packages; few systems are without it. */
export const lacksTar = (): Missing | null =>
  findProgram(['tar']) === null
    ? {
        what: 'The program tar is not installed.',
        fix: 'Debian, Ubuntu: sudo apt install tar. Fedora: sudo dnf install tar.',
      }
    : null;

/** Throws 'unsupported', with a remedy, if this machine lacks something that an installation needs. */
export async function requireNothing(tool: Pick<Installable, 'lacks'>): Promise<void> {
  const lack = await tool.lacks();
  if (lack) throw new DynoError('unsupported', lack.what, { hint: lack.fix });
}

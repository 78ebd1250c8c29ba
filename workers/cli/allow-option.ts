import { type LocalUseKind, localUseKinds } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';
import { oneLine } from '#model/text/printable.ts';
import type { Values } from './command.ts';

/** The option that allows targets or connections from elsewhere to use this machine. */
export const allowOption = (what: string) =>
  ({
    allow: { type: 'string', multiple: true, about: `${what}: ${localUseKinds.join(', ')}. Default: none.` },
  }) as const;

/** The kinds of uses in the value of --allow. Throws 'badInput' for another word. */
export function allowedUses({ allow }: Values): readonly LocalUseKind[] {
  const words = (Array.isArray(allow) ? allow : []).flatMap((one) => String(one).split(','));
  return words.map((word) => {
    const kind = localUseKinds.find((one) => one === word.trim());
    if (kind !== undefined) return kind;
    throw new DynoError('badInput', `--allow takes ${localUseKinds.join(', ')}, not “${oneLine(word.slice(0, 40))}”.`);
  });
}

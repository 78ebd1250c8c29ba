import { type FoundUse, localUsesOf } from '#engine-api/local-use.ts';
import { findEngine } from '#engines/catalog.ts';
import type { Connection } from '#model/connections.ts';
import { oneLine } from '#model/text/printable.ts';

/** The uses of this machine by a target's fields; its name and engine may be among its values. */
export function usesOfTarget(engine: string, values: Readonly<Record<string, unknown>>): readonly FoundUse[] {
  const entry = findEngine(engine);
  return entry ? localUsesOf(entry.descriptor.config, entry.config, values) : [];
}

/** The uses of this machine by a connection: those of its fields, and the key file for ssh. */
export const usesOfConnection = ({
  engine,
  values,
  ssh,
}: Pick<Connection, 'engine' | 'values' | 'ssh'>): readonly FoundUse[] => [
  ...usesOfTarget(engine, values),
  ...(ssh?.identityFile === undefined
    ? []
    : [
        {
          field: 'ssh.identityFile',
          kind: 'file' as const,
          value: ssh.identityFile,
          does: 'is a private key with which ssh logs in',
        },
      ]),
];

/** Maximum number of characters of a value that a sentence repeats. */
const mostShown = 200;

/** A use as a sentence, without its full stop. */
export const useText = ({ field, kind, value, does }: FoundUse): string =>
  oneLine(`${field} ${value.length > mostShown ? `${value.slice(0, mostShown)}…` : value} ${does} (${kind})`);

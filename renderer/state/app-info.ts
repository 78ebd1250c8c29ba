import type { BuiltInTarget, EngineDescriptor } from '#engine-api/descriptor.ts';
import { hues } from '#model/hues.ts';
import type { AppInfo } from '#protocol/ipc.ts';
import { referenceIndex } from '#protocol/plan.ts';
import { attempt, request } from './bridge.ts';
import { createStore } from './store.ts';

/** Facts about the app, its engines and this machine, which are read once at start. Null until then. */
export const appInfo = createStore<AppInfo | null>(null);

export async function loadAppInfo(): Promise<void> {
  appInfo.set(await attempt('Could not read facts about the app', () => request('app:info', null)));
}

/** The built-in targets of engines whose server is on this machine, each with the index of its look. */
export const builtInHere = (
  engines: readonly EngineDescriptor[],
  missing: Readonly<Record<string, unknown>>,
): readonly (BuiltInTarget & { readonly index: number })[] =>
  engines.flatMap(({ builtIn, reference }) =>
    builtIn
      .filter(({ target }) => missing[target] === undefined)
      .map((one) => ({ ...one, index: reference ? referenceIndex : (one.hue ?? hues) })),
  );

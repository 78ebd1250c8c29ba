import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineDescriptor } from '#contract/engine.ts';
import { holdEmbeddedPostgres } from './lab/lab.ts';
import type { Home } from './paths.ts';

/** What an embedded target is reached with, for as long as it is held. */
export interface EmbeddedTarget {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  release(): void;
}

type Start = (home: Home, onActivity: (text: string) => void, signal: AbortSignal) => Promise<EmbeddedTarget>;

/** Targets that need a server of their own, by their name in experiment files. */
const servers: Readonly<Record<string, Start>> = {
  'embedded-postgres': async (home, onActivity, signal) => {
    const held = await holdEmbeddedPostgres(home, { onActivity, signal });
    return { raw: { ...held.address }, secrets: [held.address.password], release: () => held.release() };
  },
};

/** Starts a built-in target. Engines that only need a folder get one under the home. */
export async function startEmbedded(
  descriptor: EngineDescriptor,
  home: Home,
  onActivity: (text: string) => void,
  signal: AbortSignal,
): Promise<EmbeddedTarget> {
  const start = servers[descriptor.embedded?.target ?? ''];
  if (start) return start(home, onActivity, signal);
  const nothing = { secrets: [], release: () => {} };
  if (!descriptor.config.some((field) => field.name === 'path')) return { raw: {}, ...nothing };
  const path = join(home.embedded, descriptor.id);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return { raw: { path }, ...nothing };
}

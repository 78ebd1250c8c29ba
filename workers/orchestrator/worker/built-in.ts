import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { secretFields } from '#managed-servers/connection-info.ts';
import { ownServer, ownServerId } from '#managed-servers/own-server.ts';
import { kindOf } from '#managed-servers/servers/kinds.ts';
import { holdServer, stopOwnServer } from '#managed-servers/supervisor-client.ts';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { makeFolder } from '#platform/make-folder.ts';
import type { Home } from '#platform/paths.ts';

/** A built-in target that runs until it is released, with the configuration to connect to it. */
export interface StartedTarget {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** ConfiguredTarget.place without the engine: the same for the same server or folder in every run. */
  readonly place: string;
  /** The folder of its files; null: it has none. */
  readonly dataFolder: string | null;
  release(): void;
  /** Stops the server for a restart (stopOwnServer). Absent if there is no server. */
  stop?(signal: AbortSignal): Promise<void>;
}

/** The parameters of a server that belongs to one run, and the tag of that run. */
export interface OwnParameters {
  readonly tag: string;
  readonly parameters: ServerParameters;
}

/**
 * Starts a built-in target: a managed server if there is one with that name. An engine that only needs a folder gets
 * one under the home, a separate one per configuration, because a file keeps the options with which it was created.
 * `own`: the managed server belongs to the run and has its own data; null: all runs share the managed server.
 */
export async function startBuiltIn(
  target: string,
  descriptor: EngineDescriptor,
  options: Readonly<Record<string, unknown>>,
  home: Home,
  onActivity: (text: string) => void,
  signal: AbortSignal,
  own: OwnParameters | null,
): Promise<StartedTarget> {
  const managed = kindOf(target);
  if (managed) {
    const kind = own ? ownServer(managed, ownServerId(managed, own.tag, own.parameters), own.parameters) : managed;
    const held = await holdServer(home, kind, { onActivity, signal });
    return {
      raw: held.raw,
      secrets: secretFields(held.raw).map(([, value]) => value),
      place: kind.id,
      dataFolder: held.dataFolder,
      release: held.release,
      stop: (signal) => stopOwnServer(home, kind, signal),
    };
  }
  const nothing = { secrets: [], place: 'embedded', release: () => {} };
  if (!descriptor.config.some((field) => field.name === 'path')) return { raw: {}, dataFolder: null, ...nothing };
  const ending = endingFor(options);
  const path = join(home.embedded, `${descriptor.id}${ending}`);
  makeFolder(path, 0o700);
  return { ...nothing, raw: { path }, dataFolder: path, place: `embedded${ending}` };
}

/** Empty for the engine's defaults, otherwise a hash that is independent of the order of options. */
function endingFor(options: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length === 0) return '';
  return `-${createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8)}`;
}

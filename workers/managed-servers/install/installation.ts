import { AsyncLocalStorage } from 'node:async_hooks';
import { DynoError } from '#model/error.ts';

/** The means to watch and end an installation under way, beside its lines of text. */
interface Installation {
  readonly signal: AbortSignal;
  /** 0…1 of the part that is being fetched or unpacked; null while its size is not known. */
  readonly onProgress: (fraction: number | null) => void;
}

// Passed on by the asynchronous context: each product calls several programs, and all of them are to end.
const current = new AsyncLocalStorage<Installation>();

/** The installation that calls; undefined on the command line, where Ctrl+C ends its programs. */
export const currentInstallation = (): Installation | undefined => current.getStore();

/**
 * Runs an installation (Installable.install) so that it can be ended: its programs are stopped, its half-done folder is
 * deleted, and this throws 'cancelled'.
 */
export async function runInstallation(installation: Installation, install: () => Promise<void>): Promise<void> {
  const { signal } = installation;
  try {
    await current.run(installation, install);
  } catch (thrown) {
    // Whatever was under way fails in its own words when its program is stopped.
    throw signal.aborted ? cancelled() : thrown;
  }
}

/** Throws 'cancelled' where the installation that calls was ended. */
export function throwIfEnded(): void {
  if (current.getStore()?.signal.aborted) throw cancelled();
}

const cancelled = (): DynoError => new DynoError('cancelled', 'The installation was cancelled. Nothing has changed.');

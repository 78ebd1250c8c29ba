import { AsyncLocalStorage } from 'node:async_hooks';
import { DynoError } from '#model/error.ts';

/** The means to watch and end an installation in progress, beside its lines of text. */
interface Installation {
  readonly signal: AbortSignal;
  /** The share (0 to 1) of the part that is being fetched or unpacked. Null: its size is not known yet. */
  readonly onProgress: (fraction: number | null) => void;
}

// The asynchronous context passes it on, because each product calls several programs, and all of them have to end.
const current = new AsyncLocalStorage<Installation>();

/** The installation that calls. Undefined on the command line, where Ctrl+C ends its programs. */
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
    // The work in progress fails with its own error when its program is stopped.
    throw signal.aborted ? cancelled() : thrown;
  }
}

/** Throws 'cancelled' if the installation that calls was ended. */
export function throwIfEnded(): void {
  if (current.getStore()?.signal.aborted) throw cancelled();
}

const cancelled = (): DynoError => new DynoError('cancelled', 'The installation was cancelled. Nothing has changed.');

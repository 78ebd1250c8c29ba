import { formatBytes } from '#model/format/format.ts';
import type { Control } from '../worker/control.ts';

/** Ends a run before a server's disk is full. */
export interface SpaceGuard {
  /**
   * Checks whether `needs` more bytes would leave enough space. A server that does not report its space is not guarded.
   */
  check(control: Control, needs: number, signal: AbortSignal): Promise<void>;
}

/** `onLow` receives a sentence if less than `leastBytes` would be left at a target. */
export const createSpaceGuard = (leastBytes: number, onLow: (reason: string) => void): SpaceGuard => ({
  async check(control, needs, signal) {
    const space = await control.ask({ call: 'freeSpace' }, signal).catch(() => null);
    if (space === null || space.bytes - needs >= leastBytes) return;
    const after = needs > 0 ? `, and the next trial needs some ${formatBytes(needs)}` : '';
    onLow(
      `The run ended itself: ${control.planned.name} has ${formatBytes(space.bytes)} free (${space.where})${after}; less than ${formatBytes(leastBytes)} is not to be left (measure.leastFreeMib).`,
    );
  },
});

import { formatBytes } from '#model/format/format.ts';
import { type Control, momentOf } from '../worker/control.ts';

/** Ends a run before a server's disk is full. */
export interface SpaceGuard {
  /**
   * Looks whether `needs` bytes more would leave enough. A server that does not tell is not guarded; one that does not
   * answer until `signal`, or for half a minute, loses its connection (Control.ask).
   */
  check(control: Control, needs: number, signal: AbortSignal): Promise<void>;
}

/** `onLow` is told, as a sentence, that less than `leastBytes` would be left at a target. */
export const createSpaceGuard = (leastBytes: number, onLow: (reason: string) => void): SpaceGuard => ({
  async check(control, needs, signal) {
    const space = await control.ask({ call: 'freeSpace' }, momentOf(signal)).catch(() => null);
    if (space === null || space.bytes - needs >= leastBytes) return;
    const after = needs > 0 ? `, and the next trial needs some ${formatBytes(needs)}` : '';
    onLow(
      `The run ended itself: ${control.planned.name} has ${formatBytes(space.bytes)} free (${space.where})${after}; less than ${formatBytes(leastBytes)} is not to be left (measure.leastFreeMib).`,
    );
  },
});

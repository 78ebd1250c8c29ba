import type { Socket } from 'node:net';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { Link } from './link.ts';

interface PipeOptions {
  readonly from: Socket;
  readonly to: Socket;
  readonly link: Link;
  readonly deliveries: DeliveryQueue;
  /** Receives the intended and the actual time between reading bytes and passing them on. */
  readonly passed: (bytes: number, intendedMs: number, addedMs: number) => void;
}

/**
 * Passes on one direction of one connection. Bytes keep their order; the end of the stream and resets are passed on
 * after the same delay. Pauses reading while the link's window is full; bytes that a slow receiver has not taken yet
 * are part of the window.
 */
export function pipe({ from, to, link, deliveries, passed }: PipeOptions): void {
  let underWay = 0;
  let latestMs = 0;

  /** Jitter must not let later data overtake. */
  const arrival = (nowMs: number, bytes: number): number => {
    latestMs = Math.max(latestMs, link.arrival(nowMs, bytes));
    return latestMs;
  };
  const settled = (bytes: number) => {
    underWay -= bytes;
    if (from.isPaused() && underWay < link.windowBytes / 2) from.resume();
  };
  const send = (part: Buffer) => {
    const readMs = performance.now();
    const dueMs = arrival(readMs, part.length);
    underWay += part.length;
    deliveries.add(dueMs, (lateMs) => {
      passed(part.length, dueMs - readMs, dueMs - readMs + lateMs);
      if (to.writable) to.write(part, () => settled(part.length));
      else settled(part.length);
    });
  };

  from.on('data', (data: Buffer) => {
    for (let at = 0; at < data.length; at += link.partBytes) send(data.subarray(at, at + link.partBytes));
    if (underWay >= link.windowBytes) from.pause();
  });
  from.on('end', () => deliveries.add(arrival(performance.now(), 0), () => to.end()));
  from.on('error', () => deliveries.add(arrival(performance.now(), 0), () => to.resetAndDestroy()));
}

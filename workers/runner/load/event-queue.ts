import { Heap } from '../timing/heap.ts';

/** A queue of the times at which users go on, the earliest first: ten thousand pauses need no ten thousand timers. */
export class EventQueue {
  /** The user that {@link take} took last. */
  user = 0;
  readonly #heap = new Heap();

  /** The time of the first event; Infinity where there is none. */
  get nextMs(): number {
    return this.#heap.length === 0 ? Number.POSITIVE_INFINITY : this.#heap.first(0);
  }

  add(dueMs: number, user: number): void {
    this.#heap.add(dueMs, user);
  }

  /** Removes the first event; there has to be one. */
  take(): void {
    this.user = this.#heap.second(0);
    this.#heap.removeTop();
  }

  clear(): void {
    this.#heap.clear();
  }
}

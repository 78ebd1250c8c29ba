import { Heap } from '../timing/heap.ts';

/** Who goes on when: a heap by time, so that ten thousand pauses need no ten thousand timers. */
export class Agenda {
  /** What {@link take} took last. */
  who = 0;
  readonly #heap = new Heap();

  /** The earliest; Infinity where there is none. */
  get nextMs(): number {
    return this.#heap.length === 0 ? Number.POSITIVE_INFINITY : this.#heap.first(0);
  }

  /** `who`: whoever it is (crowd.ts). */
  add(dueMs: number, who: number): void {
    this.#heap.add(dueMs, who);
  }

  /** Removes the earliest; there has to be one. */
  take(): void {
    this.who = this.#heap.second(0);
    this.#heap.removeTop();
  }

  clear(): void {
    this.#heap.clear();
  }
}

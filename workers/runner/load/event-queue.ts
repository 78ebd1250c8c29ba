import { Heap } from '../timing/heap.ts';

/** A queue of the times at which users continue, the earliest first. It replaces one timer per pause. */
export class EventQueue {
  /** The last user that {@link take} took. */
  user = 0;
  readonly #heap = new Heap();

  /** Time of the first event; Infinity if there is none. */
  get nextMs(): number {
    return this.#heap.length === 0 ? Number.POSITIVE_INFINITY : this.#heap.first(0);
  }

  add(dueMs: number, user: number): void {
    this.#heap.add(dueMs, user);
  }

  /** Removes the first event, which must exist. */
  take(): void {
    this.user = this.#heap.second(0);
    this.#heap.removeTop();
  }

  clear(): void {
    this.#heap.clear();
  }
}

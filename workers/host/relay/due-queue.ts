/** What is passed on at a time; `turn` keeps the order of those that are due together. */
export interface Due {
  readonly atMs: number;
  readonly turn: number;
}

/** A binary heap: the one that is due first comes out first. */
export class DueQueue<T extends Due> {
  readonly #heap: T[] = [];

  get first(): T | undefined {
    return this.#heap[0];
  }

  add(item: T): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = item;
  }

  /** The first one, if it is due by then. */
  takeBy(nowMs: number): T | null {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.atMs > nowMs) return null;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: T): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, item)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = item;
  }
}

const isBefore = (a: Due, b: Due): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn);

/** Who goes on when: a binary heap by time, so that ten thousand pauses need no ten thousand timers. Allocates only to grow. */
export class Agenda {
  /** What {@link take} took last. */
  who = 0;
  #dueMs = new Float64Array(1_024);
  #who = new Float64Array(1_024);
  #length = 0;

  /** The earliest; Infinity where there is none. */
  get nextMs(): number {
    return this.#length === 0 ? Number.POSITIVE_INFINITY : this.#dueMs[0]!;
  }

  /** `who`: whoever it is (crowd.ts). */
  add(dueMs: number, who: number): void {
    if (this.#length === this.#dueMs.length) this.#grow();
    let at = this.#length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#dueMs[parent]! <= dueMs) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, dueMs, who);
  }

  /** Removes the earliest; there has to be one. */
  take(): void {
    this.who = this.#who[0]!;
    const last = --this.#length;
    const dueMs = this.#dueMs[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#dueMs[child + 1]! < this.#dueMs[child]!) child++;
      if (this.#dueMs[child]! >= dueMs) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, dueMs, this.#who[last]!);
  }

  clear(): void {
    this.#length = 0;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#dueMs[from]!, this.#who[from]!);
  }

  #put(at: number, dueMs: number, who: number): void {
    this.#dueMs[at] = dueMs;
    this.#who[at] = who;
  }

  #grow(): void {
    this.#dueMs = grown(this.#dueMs);
    this.#who = grown(this.#who);
  }
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(values.length * 2);
  longer.set(values);
  return longer;
}

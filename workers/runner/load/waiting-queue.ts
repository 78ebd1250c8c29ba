const fields = 3;

/** Units of work that wait for a connection, first come, first served: a ring buffer that allocates only to grow. */
export class WaitingQueue {
  /** The last unit that {@link take} took. */
  intendedMs = 0;
  arrivedMs = 0;
  user = 0;
  #ring = new Float64Array(1_024 * fields);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(intendedMs: number, arrivedMs: number, user: number): void {
    if (this.#length * fields === this.#ring.length) this.#grow();
    const at = (this.#first + this.#length++ * fields) % this.#ring.length;
    this.#ring[at] = intendedMs;
    this.#ring[at + 1] = arrivedMs;
    this.#ring[at + 2] = user;
  }

  /** Moves the first unit into the fields; false if none waits. */
  take(): boolean {
    if (this.#length === 0) return false;
    const ring = this.#ring;
    this.intendedMs = ring[this.#first]!;
    this.arrivedMs = ring[this.#first + 1]!;
    this.user = ring[this.#first + 2]!;
    this.#first = (this.#first + fields) % ring.length;
    this.#length--;
    return true;
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    const longer = new Float64Array(this.#ring.length * 2);
    longer.set(this.#ring.subarray(this.#first));
    longer.set(this.#ring.subarray(0, this.#first), this.#ring.length - this.#first);
    this.#ring = longer;
    this.#first = 0;
  }
}

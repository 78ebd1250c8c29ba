/** Ends the calls of a batch together, once the last of them has been answered. */
export class BatchEnd {
  #underWay = 0;
  #ends: (() => void)[] = [];

  /** A call of the batch begins. */
  began(): void {
    this.#underWay++;
  }

  /** A call has been answered; `end` runs when all calls that began have been. */
  answered(end: () => void): void {
    this.#ends.push(end);
    if (--this.#underWay > 0) return;
    const ends = this.#ends;
    this.#ends = [];
    for (const one of ends) one();
  }
}

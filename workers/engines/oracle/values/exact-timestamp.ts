/**
 * A point in time to the nanosecond that the driver binds exactly. A Date holds milliseconds, and the driver sends the
 * fields that the Date's getters return (local time, milliseconds × 10⁶ as nanoseconds). So this Date's getters return
 * UTC and fractions of a millisecond. Text with TO_TIMESTAMP would be exact, too, but the server would parse it in
 * every row.
 */
export class ExactTimestamp extends Date {
  /** The digits below the millisecond. */
  readonly #nanoseconds: number;

  /** µs since 1970-01-01 UTC, and the nanoseconds below. */
  constructor(us: number, nanoseconds = 0) {
    const ms = Math.floor(us / 1_000);
    super(ms);
    this.#nanoseconds = (us - ms * 1_000) * 1_000 + nanoseconds;
  }

  /** "2024-02-29T12:34:56.123456789Z". */
  static of(iso: string): ExactTimestamp {
    const fraction = iso.slice(20, -1).padEnd(9, '0');
    return new ExactTimestamp(
      Date.parse(`${iso.slice(0, 19)}Z`) * 1_000 + Number(fraction.slice(0, 6)),
      Number(fraction.slice(6)),
    );
  }

  override getFullYear(): number {
    return this.getUTCFullYear();
  }
  override getMonth(): number {
    return this.getUTCMonth();
  }
  override getDate(): number {
    return this.getUTCDate();
  }
  override getHours(): number {
    return this.getUTCHours();
  }
  override getMinutes(): number {
    return this.getUTCMinutes();
  }
  override getSeconds(): number {
    return this.getUTCSeconds();
  }
  /**
   * The milliseconds with their fraction, and a hundredth of a nanosecond more, so that cutting after × 10⁶ cannot lose
   * one.
   */
  override getUTCMilliseconds(): number {
    const ms = super.getUTCMilliseconds();
    return this.#nanoseconds === 0 ? ms : ms + this.#nanoseconds / 1e6 + 1e-8;
  }
  override getMilliseconds(): number {
    return this.getUTCMilliseconds();
  }
  /** The time as a literal has it: 2024-02-29 12:34:56.000789, or to the nanosecond. */
  toSql(): string {
    const text = new Date(this.getTime()).toISOString();
    const below = String(this.#nanoseconds).padStart(6, '0');
    return `${text.slice(0, 10)} ${text.slice(11, 23)}${below.endsWith('000') ? below.slice(0, 3) : below}`;
  }
}

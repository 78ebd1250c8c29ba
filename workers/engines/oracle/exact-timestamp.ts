/**
 * A point in time to the microsecond that the driver binds exactly. A Date holds milliseconds and the driver sends a TIMESTAMP's fields as
 * the Date's getters tell them (local time, milliseconds × 10⁶ as nanoseconds), so this Date answers in UTC and with fractions of a
 * millisecond. Text with TO_TIMESTAMP would be exact, too, but the server would parse it in every row.
 */
export class ExactTimestamp extends Date {
  readonly #microseconds: number;

  /** µs since 1970-01-01 UTC. */
  constructor(us: number) {
    const ms = Math.floor(us / 1_000);
    super(ms);
    this.#microseconds = us - ms * 1_000;
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
  /** With fractions; a hundredth of a nanosecond more, so that cutting off after × 10⁶ cannot lose one. */
  override getUTCMilliseconds(): number {
    const ms = super.getUTCMilliseconds();
    return this.#microseconds === 0 ? ms : ms + this.#microseconds / 1_000 + 1e-8;
  }
  override getMilliseconds(): number {
    return this.getUTCMilliseconds();
  }
  /** As a literal has it: 2024-02-29 12:34:56.000789. */
  toSql(): string {
    const text = new Date(this.getTime()).toISOString();
    return `${text.slice(0, 10)} ${text.slice(11, 23)}${String(this.#microseconds).padStart(3, '0')}`;
  }
}

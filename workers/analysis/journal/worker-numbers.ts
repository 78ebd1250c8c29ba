import type { ProcessTime } from '#protocol/measurement.ts';

/** The parts of ProcessTime. */
export const timeParts = [
  'wallMs',
  'generateMs',
  'encodeMs',
  'decodeMs',
  'engineMs',
  'otherMs',
  'waitMs',
  'idleMs',
] as const satisfies readonly (keyof ProcessTime)[];

const columns = [
  'lengthMs',
  'rows',
  'calls',
  'errors',
  'retries',
  'lostMs',
  // Units of work in the queue at the end of the second; NaN for a closed loop.
  'waiting',
  'cpuMs',
  'eventLoopUtilisation',
  'rssBytes',
  'loopLongestMs',
  // NaN except on Linux, which alone reports it.
  'noProcessorMs',
  ...timeParts,
] as const;

type Column = (typeof columns)[number];

const width = columns.length;
const offsets = Object.fromEntries(columns.map((column, i) => [column, i])) as Readonly<Record<Column, number>>;

/**
 * The figures of each worker in one second. The numbers of all workers are in one array: a trial of hours has hundreds
 * of thousands of such seconds, and an object for each would take several times the memory.
 */
export class WorkerNumbers {
  readonly #workers: number[] = [];
  readonly #numbers: number[] = [];

  has(worker: number): boolean {
    return this.#workers.includes(worker);
  }

  /** The index of a worker's first number, for the functions that change the numbers; all numbers begin at 0. */
  rowOf(worker: number): number {
    const known = this.#workers.indexOf(worker);
    if (known >= 0) return known * width;
    for (let i = 0; i < width; i++) this.#numbers.push(0);
    return (this.#workers.push(worker) - 1) * width;
  }

  add(row: number, column: Column, value: number): void {
    this.#numbers[row + offsets[column]]! += value;
  }

  set(row: number, column: Column, value: number): void {
    this.#numbers[row + offsets[column]] = value;
  }

  raise(row: number, column: Column, value: number): void {
    const at = row + offsets[column];
    this.#numbers[at] = Math.max(this.#numbers[at]!, value);
  }

  /** The sum over all workers; NaN if the number of one worker is NaN. */
  sum(column: Column): number {
    let sum = 0;
    for (let at = offsets[column]; at < this.#numbers.length; at += width) sum += this.#numbers[at]!;
    return sum;
  }

  /** The sum over the workers with a number; null without any. */
  sumOfKnown(column: Column): number | null {
    let sum: number | null = null;
    for (let at = offsets[column]; at < this.#numbers.length; at += width)
      if (!Number.isNaN(this.#numbers[at])) sum = (sum ?? 0) + this.#numbers[at]!;
    return sum;
  }

  /** The largest number of all workers; NaN if the number of one worker is NaN. */
  most(column: Column): number {
    let most = 0;
    for (let at = offsets[column]; at < this.#numbers.length; at += width) most = Math.max(most, this.#numbers[at]!);
    return most;
  }

  /** The time of a worker by activity, or of all workers together. */
  time(worker?: number): ProcessTime {
    const row = worker === undefined ? null : this.rowOf(worker);
    const of = (part: Column) => (row === null ? this.sum(part) : this.#numbers[row + offsets[part]]!);
    return Object.fromEntries(timeParts.map((part) => [part, of(part)])) as Record<keyof ProcessTime, number>;
  }
}

import type { FileColumnSpec, FileColumnType } from '#model/dataset/column-specs.ts';
import { parseDecimal, precisionOf } from '#model/text/exact-decimal.ts';
import { microseconds, timeOf, timePattern } from '#model/text/time-text.ts';
import type { ParquetType } from './row-sink.ts';

/** The forms of the times of a column. The type timestamp does not show if the values are days, or have a zone. */
export type TimeForm = 'days' | 'times without a zone' | 'times with a zone';

/** A column of a file, with the type that its values fit. */
export interface GuessedColumn {
  /** Its name in the file. */
  readonly name: string;
  readonly spec: Pick<FileColumnSpec, 'as' | 'precision' | 'scale' | 'maxLength' | 'nulls'>;
  /** True if all compared values are different, and none is null. */
  readonly isUnique: boolean;
  readonly timeForms: readonly TimeForm[];
}

const mostDigits = 38;
const mostLength = 1_000_000;
/** The longest value that is compared with the others of its column. */
const longestCompared = 64;

type Guess = Exclude<FileColumnType, 'text' | 'document'>;
/** The types that texts may have; of those that all texts fit, the first is taken. */
const guesses: readonly Guess[] = ['integer', 'decimal', 'boolean', 'uuid', 'timestamp', 'bytes'];

/** The types that the values may turn out to have, by the type that the file says. */
function possible(type: ParquetType | undefined): readonly Guess[] {
  if (type === undefined || type.as === null) return guesses;
  switch (type.as) {
    case 'integer':
      return ['integer', 'decimal'];
    case 'double':
      return ['decimal'];
    case 'text':
      return ofStrings;
    case 'document':
      return [];
    default:
      return [type.as];
  }
}

/** A text between quotes in JSON is no number, even if all of it are digits. */
const ofStrings: readonly Guess[] = ['uuid', 'timestamp'];

/** A number that is no code, such as 007 and 12E5. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+([eE][+-]?\d+)?|[eE][+-]\d+)?$/;

/** Values that all columns of a file may keep for a comparison. */
interface Budget {
  values: number;
}

/** Learns the type of a column from its values. */
export class ColumnGuess {
  readonly name: string;
  readonly #type: ParquetType | undefined;
  readonly #budget: Budget;
  #guesses: ReadonlySet<Guess>;
  #values = 0;
  #nested = 0;
  #whole = 0;
  #scale = 0;
  #length = 0;
  #seen: Set<string> | null = new Set();
  #isRepeated = false;
  readonly #timeForms = new Set<TimeForm>();

  constructor(name: string, type: ParquetType | undefined, budget: Budget) {
    this.name = name;
    this.#type = type;
    this.#budget = budget;
    this.#guesses = new Set(possible(type));
  }

  /** Adds a value. `isString`: JSON has it between quotes; undefined: the file is not JSON. */
  add(text: string, isString: boolean | undefined): void {
    this.#values++;
    this.#length = Math.max(this.#length, text.length);
    for (const guess of this.#guesses)
      if ((isString === true && !ofStrings.includes(guess)) || !this.#fits(guess, text, isString === false))
        this.#rule(guess);
    this.#compare(text);
  }

  /** Adds an object or a list, as JSON. */
  addNested(text: string): void {
    this.#values++;
    this.#nested++;
    this.#length = Math.max(this.#length, text.length);
    this.#isRepeated = true;
  }

  /**
   * The column after this many rows. `isWhole`: the file has no other rows. A text: the reason why no type fits the
   * column.
   */
  end(rows: number, isWhole: boolean): GuessedColumn | string {
    if (this.#nested > 0 && this.#nested < this.#values)
      return 'has objects or lists beside other values, and no type holds both';
    const as = this.#as();
    const nulls = rows - this.#values;
    const spec = {
      as,
      ...(as === 'decimal' && this.#decimal(isWhole)),
      ...((as === 'text' || as === 'document' || as === 'bytes') && { maxLength: this.#maxLength(as, isWhole) }),
      nulls: nulls === 0 ? 0 : Math.max(0.01, Math.round((nulls / rows) * 100) / 100),
    };
    if (spec.maxLength !== undefined && this.#length > 2 * mostLength) return 'has a longer value than a column holds';
    const isUnique = nulls === 0 && this.#values > 0 && !this.#isRepeated;
    return { name: this.name, spec, isUnique, timeForms: as === 'timestamp' ? [...this.#timeForms] : [] };
  }

  #as(): FileColumnType {
    if (this.#nested > 0 || this.#type?.as === 'document') return 'document';
    // A column that is null in all rows has the type that the file says, if it says one.
    if (this.#values === 0 && this.#type === undefined) return 'text';
    return guesses.find((guess) => this.#guesses.has(guess)) ?? 'text';
  }

  #decimal(isWhole: boolean): { readonly precision: number; readonly scale: number } {
    if (this.#type?.as === 'decimal')
      return { precision: Math.min(mostDigits, this.#type.precision), scale: this.#type.scale };
    // Later rows may have larger numbers.
    const more = isWhole ? 0 : 3;
    return {
      precision: Math.min(mostDigits, Math.max(1, this.#whole + this.#scale + more)),
      scale: this.#scale,
    };
  }

  #maxLength(as: FileColumnType, isWhole: boolean): number {
    const longest = as === 'bytes' ? Math.ceil(this.#length / 2) - 1 : this.#length;
    const wanted = Math.max(1, isWhole ? longest : longest * 2);
    const unit = 10 ** Math.max(1, Math.floor(Math.log10(wanted)));
    return Math.min(mostLength, Math.ceil(wanted / unit) * unit);
  }

  #rule(guess: Guess): void {
    this.#guesses = new Set([...this.#guesses].filter((one) => one !== guess));
  }

  #fits(guess: Guess, text: string, isNumber: boolean): boolean {
    switch (guess) {
      case 'integer':
        return /^(0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
      case 'decimal':
        return this.#type?.as === 'decimal' || this.#fitsDecimal(text, isNumber);
      case 'boolean':
        return /^(true|false|t|f)$/.test(text) || /^(true|false)$/i.test(text);
      case 'uuid':
        return this.#type?.as === 'uuid' || /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
      case 'timestamp':
        return this.#fitsTime(text);
      case 'bytes':
        return this.#type?.as === 'bytes' || /^\\x([0-9a-f]{2})*$/i.test(text);
    }
  }

  /** `isNumber`: the file says so. */
  #fitsDecimal(text: string, isNumber: boolean): boolean {
    if (text.length > 400 || !(isNumber || plainNumber.test(text))) return false;
    const exact = parseDecimal(text);
    if (exact === null) return false;
    this.#whole = Math.max(this.#whole, precisionOf(exact) - exact.scale);
    this.#scale = Math.max(this.#scale, exact.scale);
    return this.#whole + this.#scale <= mostDigits;
  }

  #fitsTime(text: string): boolean {
    if (text.length > 40 || !timePattern.test(text) || /\.\d{6}\d*[1-9]/.test(text) || timeOf(text) === null)
      return false;
    // A double holds the microseconds of distant years only for whole seconds.
    const us = microseconds(text);
    if (!Number.isSafeInteger(us) && (us % 1_000_000 !== 0 || /\.\d*[1-9]/.test(text))) return false;
    const form =
      text.length === 10 ? 'days' : /\d(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10)) ? zoned : 'times without a zone';
    this.#timeForms.add(form);
    return true;
  }

  #compare(text: string): void {
    if (this.#isRepeated || this.#seen === null) return;
    if (text.length > longestCompared || this.#seen.has(text)) {
      this.#isRepeated = true;
      this.#budget.values += this.#seen.size;
      this.#seen = null;
    } else if (this.#budget.values > 0) {
      this.#budget.values--;
      this.#seen.add(text);
    }
  }
}

const zoned: TimeForm = 'times with a zone';

import { isUtf8 } from 'node:buffer';
import { type FromFile, mostColumns } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { ColumnGuess, type GuessedColumn } from './guessed-column.ts';
import { readRows } from './read-rows.ts';
import type { ParquetType, Reading, WantedColumns } from './row-sink.ts';

/** The columns of a file, as its first rows have them. */
export interface GuessedFile {
  readonly columns: readonly GuessedColumn[];
  /** Columns that no table can have, and the reason as the end of a sentence about the column. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** Rows whose values were looked at. */
  readonly looked: number;
  /** Number of rows of the file, or of the counted part of the file. */
  readonly rows: number;
  readonly isCounted: boolean;
}

/** The limits of {@link guessColumns}. */
interface GuessLimits {
  /** Rows whose values are looked at. */
  readonly rows: number;
  /** Bytes of the text up to which further rows are counted. */
  readonly bytes: number;
}

const mostCompared = 5_000_000;

/** Reads the first rows of a file, and learns the types of its columns. Throws 'badInput' for a damaged file. */
export async function guessColumns(
  path: string,
  from: FromFile,
  limits: GuessLimits,
  signal: AbortSignal,
): Promise<GuessedFile> {
  const guesses: ColumnGuess[] = [];
  const left = new Map<string, string>();
  const budget = { values: mostCompared };
  let reading: Reading = { place: 'line 1', bytes: 0 };
  let rows = 0;
  let isCut = false;
  const isLooking = () => rows < limits.rows;
  const onColumns = (names: readonly string[], typed: ReadonlyMap<string, ParquetType>): WantedColumns => {
    const wanted = new Map<string, number[]>();
    if (!isLooking()) return wanted;
    for (const name of new Set(names)) {
      const type = typed.get(name);
      const why = whyNot(name, names, type, guesses.length);
      if (why === null) wanted.set(name, [guesses.push(new ColumnGuess(name, type, budget)) - 1]);
      else if (left.size < mostColumns) left.set(name, why);
    }
    return wanted;
  };
  const textOf = (column: number, bytes: Uint8Array, start: number, end: number): string => {
    const value = bytes.subarray(start, end);
    if (!isUtf8(value) || value.includes(0)) throw noText(from.file, reading.place, guesses[column]!.name, value);
    return Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  };
  await readRows(
    path,
    from,
    {
      onColumns,
      sink: {
        value(column, bytes, start, end, isString) {
          if (isLooking()) guesses[column]!.add(textOf(column, bytes, start, end), isString);
        },
        noValue() {},
        nested(column, bytes) {
          if (isLooking()) guesses[column]!.addNested(textOf(column, bytes, 0, bytes.length));
        },
        endRow() {
          rows++;
          isCut = !isLooking() && (reading.rows !== undefined || reading.bytes > limits.bytes);
          return !isCut;
        },
      },
    },
    (begun) => {
      reading = begun;
    },
    signal,
  );
  const all = reading.rows ?? rows;
  const looked = Math.min(rows, limits.rows);
  const columns = guesses.flatMap((guess) => {
    const guessed = guess.end(looked, looked === all && (!isCut || reading.rows !== undefined));
    if (typeof guessed !== 'string') return guessed;
    left.set(guess.name, guessed);
    return [];
  });
  return {
    columns,
    leftOut: Array.from(left, ([name, why]) => ({ name, why })),
    looked,
    rows: all,
    isCounted: !isCut || reading.rows !== undefined,
  };
}

/** The reason why a column of the file cannot be one of a table; null: it can. */
function whyNot(name: string, names: readonly string[], type: ParquetType | undefined, columns: number): string | null {
  if (columns >= mostColumns) return `is behind the ${mostColumns} columns that a table can have`;
  if (name === '') return 'has no name';
  if (name.length > 200) return 'has too long a name';
  if (names.indexOf(name) !== names.lastIndexOf(name)) return 'has the name of another column';
  return type?.as === null ? `is ${type.why}` : null;
}

/** The error of a value that is no text in UTF-8; its code says that the file may have another encoding. */
const noText = (file: string, place: string, column: string, value: Uint8Array): DynoError =>
  new DynoError(
    'badInput',
    value.includes(0)
      ? `${file}, ${place}, column “${column}”: there is a zero byte, which no text has.`
      : `${file}, ${place}, column “${column}”: the bytes are no UTF-8.`,
    value.includes(0)
      ? { hint: 'Name the encoding, for example `encoding: utf-16le`, if the file is a text.' }
      : { code: notUtf8, hint: 'Name the encoding, for example `encoding: windows-1252`.' },
  );

/** The code of the error of a file that is not in UTF-8. */
export const notUtf8 = 'notUtf8';

import { type CsvError, parse } from 'csv-parse/sync';
import { DynoError } from '#model/error.ts';
import { delimiterOf, quoteHint } from '#runner/rows/csv-reader.ts';

/** A field of a CSV text. */
export interface CsvField {
  readonly text: string;
  /** True if it is quoted. */
  readonly quoted: boolean;
}

/** A record of a CSV text. */
export interface CsvRecord {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly fields: readonly CsvField[];
}

/**
 * Parses the records of a CSV text (RFC 4180). Fields are separated by commas, or by the semicolons, tabs or bars of
 * the first line if it has more of these, as spreadsheets of many countries write. Doubled quotes within quotes stand
 * for a quote. Lines end in CR LF, LF or CR. Empty lines are skipped; a line of `""` has an empty text. Throws
 * 'badInput' with file and line for a misplaced quote, because the ends of the fields around it would be a guess.
 */
export function parseCsv(text: string, file: string): readonly CsvRecord[] {
  let lastLine = 0;
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      cast: (text, { quoting }): CsvField => ({ text, quoted: quoting }),
      on_record(cast: unknown, { lines }) {
        const fields = cast as readonly CsvField[];
        const line = lastLine + 1;
        lastLine = lines;
        const isEmpty = fields.length === 1 && fields[0]!.text === '' && !fields[0]!.quoted;
        return isEmpty ? null : ({ line, fields } satisfies CsvRecord as unknown as string[]);
      },
    }) as unknown as readonly CsvRecord[];
  } catch (thrown) {
    throw quoteError(thrown as CsvError, file, lastLine + 1);
  }
}

/** `recordLine`: the first line of the record with the mistake. */
function quoteError({ code, message, lines }: CsvError, file: string, recordLine: number): DynoError {
  const [line, what] =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? [recordLine, 'a quote that begins here is never closed']
      : code === 'INVALID_OPENING_QUOTE'
        ? [lines, 'a quote begins in the middle of a field']
        : code === 'CSV_INVALID_CLOSING_QUOTE'
          ? [lines, 'text goes on after the closing quote of a field']
          : [lines, message];
  return new DynoError('badInput', `${file}, line ${line}: ${what}.`, {
    hint: quoteHint,
  });
}

import { type CsvError, parse } from 'csv-parse/sync';
import { DynoError } from '#model/error.ts';

/** A field of a CSV text. */
export interface CsvField {
  readonly text: string;
  /** It stands between quotes. */
  readonly quoted: boolean;
}

/** A record of a CSV text. */
export interface CsvRecord {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly fields: readonly CsvField[];
}

/**
 * The records of a CSV text (RFC 4180): fields between commas, or between the semicolons, tabs or bars of the first
 * line where it has more of these, as spreadsheets of many countries write; quotes that are doubled within quotes,
 * lines that end in CR LF, LF or CR. Lines with nothing in them are left out; one of `""` has an empty text. Throws
 * 'badInput' with file and line for a quote that is out of place: where the fields around it end would be a guess.
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

const delimiters = [',', ';', '\t', '|'];

function delimiterOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = delimiters.map((sign) => line.split(sign).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** `recordLine`: the line on which the record with the mistake begins. */
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
    hint: 'Write the whole field between quotes, and each quote within it twice: "say ""hello"""',
  });
}

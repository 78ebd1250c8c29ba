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
  const bytes = Buffer.from(text);
  let line = 1;
  try {
    return parse(bytes, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      cast: (text, { quoting }): CsvField => ({ text, quoted: quoting }),
      on_record(cast: unknown) {
        const fields = cast as readonly CsvField[];
        const record: CsvRecord = { line, fields };
        line += 1 + fields.reduce((sum, field) => sum + (field.quoted ? lineEndsIn(field.text) : 0), 0);
        const isEmpty = fields.length === 1 && fields[0]!.text === '' && !fields[0]!.quoted;
        return isEmpty ? null : (record as unknown as string[]);
      },
    }) as unknown as readonly CsvRecord[];
  } catch (thrown) {
    throw quoteError(thrown as CsvError, file, line, bytes);
  }
}

/** The parser itself counts CR LF within quotes as two line ends. */
const lineEndsIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** `recordLine`: the first line of the record with the mistake. */
function quoteError({ code, message, ...at }: CsvError, file: string, recordLine: number, text: Buffer): DynoError {
  // The field with the mistake begins behind these bytes, with the sign before it.
  const field = text.toString('utf8', Number(at.bytes));
  const [quoted = ''] = code === 'CSV_INVALID_CLOSING_QUOTE' ? (/^[^"]?"(?:[^"]|"")*"/.exec(field) ?? []) : [];
  const lines = 1 + lineEndsIn(text.toString('utf8', 0, Number(at.bytes)) + quoted);
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

import { type CsvError, parse } from 'csv-parse/sync';
import { DynoError } from '#model/error.ts';

/**
 * The records of a CSV text (RFC 4180): fields between commas, or between the semicolons, tabs or bars of the first
 * line where it has more of these, as spreadsheets of many countries write; quotes that are doubled within quotes,
 * lines that end in CR LF, LF or CR. Lines with nothing in them are left out. Throws 'badInput' with file and line for
 * a quote that is out of place: where the fields around it end would be a guess.
 */
export function parseCsv(text: string, file: string): readonly (readonly string[])[] {
  let lastLine = 0;
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record(record: string[], { lines }) {
        lastLine = lines;
        return record.length > 1 || record[0] !== '' ? record : null;
      },
    });
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

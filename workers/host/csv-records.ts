/** Records of a CSV text (RFC 4180): commas, quotes that are doubled within quotes, lines that end in CR LF or LF. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y;
  while (at < text.length) {
    field.lastIndex = at;
    const found = field.exec(text);
    if (!found) {
      // A quote in the middle of a field: taken as it is, to the end of its line.
      const end = text.indexOf('\n', at);
      record.push(text.slice(at, end === -1 ? undefined : end).trimEnd());
      at = end === -1 ? text.length : end + 1;
      records.push(record);
      record = [];
      continue;
    }
    const [whole, quoted, plain = '', end] = found;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',' && at < text.length) continue;
    if (end === ',') record.push('');
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}

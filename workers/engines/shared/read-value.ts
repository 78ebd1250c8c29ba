import type { Value } from '#model/batch/decode.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { canonicalJson } from '#model/text/json-text.ts';

/** Converts a value that was read to the form of decode.ts, as far as drivers agree. Sessions are in UTC. */
export function readValue(value: unknown, type: ColumnType): Value {
  if (value === null) return null;
  switch (type.kind) {
    case 'uuid':
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
    case 'bigint':
      return Number(value);
    case 'boolean':
      return Number(value) === 1;
    case 'timestamp':
      return isoText(String(value));
    case 'bytes':
      return value as Uint8Array;
    case 'text':
      // Some drivers parse values that the engine stores as documents.
      if (type.document) return canonicalJson(typeof value === 'string' ? JSON.parse(value) : value);
      return String(value);
    case 'decimal':
      return String(value);
  }
}

/** Converts "2024-02-29 12:34:56.000789+00" and similar texts to "2024-02-29T12:34:56.000789Z". */
function isoText(text: string): string {
  const [, date, time, fraction = ''] = /^(\S+)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  return `${date}T${time}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

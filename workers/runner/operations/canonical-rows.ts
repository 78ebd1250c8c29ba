import type { AnsweredRows } from '#engine-api/statement.ts';
import type { CanonicalAnswer } from '#model/statements/compare-rows.ts';
import type { AnswerType } from '#model/statements/statements.ts';
import { decimalText, type ExactDecimal, parseDecimal } from '#model/text/exact-decimal.ts';

/**
 * An answer in canonical form. `columns`: the columns to include, in this order; a column that the answer lacks is
 * null.
 */
export function canonicalAnswer(answer: AnsweredRows, columns: readonly string[] = answer.columns): CanonicalAnswer {
  const places =
    columns === answer.columns ? columns.map((_, place) => place) : columns.map((name) => answer.columns.indexOf(name));
  const types = places.map((place) => answer.types?.[place]);
  const shown = answer.rows.map((row) => places.map((place) => row[place] ?? null));
  const rows = shown.map((row) => row.map((value, c) => canonicalValue(value, types[c])));
  const isExact = (type: AnswerType | undefined, c: number) =>
    type === 'integer' ||
    type === 'decimal' ||
    (type === 'own' && answer.rounded?.[places[c]!] === false) ||
    !rows.some((row) => row[c]!.startsWith('n'));
  return {
    columns,
    shown,
    rows,
    exact: types.map(isExact),
    hasMore: answer.hasMore === true,
  };
}

const numberText = /^[+-]?(?:0|[1-9]\d*)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const bytesText = /^(?:0x|\\x)((?:[0-9a-f]{2})*)$/i;
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const timeText = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?)?$/;

/**
 * A value as text: numbers without trailing zeros whatever their type, booleans as 1 and 0, times in UTC with the
 * digits that are not zero, bytes and UUIDs in lower case. Other values stay as they are.
 */
export function canonicalValue(value: string | null, type: AnswerType | undefined): string {
  if (value === null) return '';
  if (type === 'boolean') return `n${/^(?:t|true|1)$/i.test(value) ? 1 : 0}`;
  if (type === 'own' && (value === 'true' || value === 'false')) return `n${value === 'true' ? 1 : 0}`;
  const decimal = numberText.test(value) ? parseDecimal(value) : null;
  if (decimal !== null) return `n${decimalText(shortest(decimal))}`;
  const bytes = bytesText.exec(value)?.[1];
  if (bytes !== undefined) return `b${bytes.toLowerCase()}`;
  if (uuidText.test(value)) return `u${value.toLowerCase()}`;
  return canonicalTime(value) ?? `s${value}`;
}

function shortest({ unscaled, scale }: ExactDecimal): ExactDecimal {
  const decimal = { unscaled, scale };
  while (decimal.scale > 0 && decimal.unscaled % 10n === 0n) {
    decimal.unscaled /= 10n;
    decimal.scale--;
  }
  return decimal;
}

/** A date is its first moment; a time without a zone is a time in UTC. Null: no time. */
function canonicalTime(value: string): string | null {
  const [, date, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = timeText.exec(value) ?? [];
  if (date === undefined) return null;
  const wall = Date.parse(`${date}T${minute}:${second}Z`);
  if (Number.isNaN(wall)) return null;
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const behindMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const digits = fraction.replace(/0+$/, '');
  return `t${new Date(wall - behindMs).toISOString().slice(0, 19)}${digits === '' ? '' : `.${digits}`}`;
}

import type { SeenValues } from '#engine-api/kept-statements.ts';

type Source = Readonly<Record<string, unknown>>;

/** The longest text of a list in an experiment. */
const longestListed = 200;

/** The values of a log themselves, with their frequencies; null: they were not kept, or no list can have them. */
export function shownSource({ kind, kept }: SeenValues): Source | null {
  if (kept === undefined || kept.length === 0 || (kind !== 'integer' && kind !== 'text')) return null;
  const values = kept.map(([value]) => (kind === 'integer' ? Number(value) : value));
  const canList = values.every((one) =>
    typeof one === 'number' ? Number.isSafeInteger(one) : one.length > 0 && one.length <= longestListed,
  );
  return canList ? { type: 'oneOf', values, weights: kept.map(([, calls]) => calls) } : null;
}

/** Values of the same kind, with as many digits or characters; null: nothing but nulls was seen. */
export function madeUpSource({ kind, least, most, scale, hasNegative }: SeenValues): Source | null {
  const end = 10 ** Math.min(most, 15);
  const begin = hasNegative ? 1 - end : least > 1 ? 10 ** Math.min(least - 1, 14) : 0;
  switch (kind) {
    case 'integer':
      return { type: 'integer', min: begin, max: end - 1 };
    case 'decimal': {
      const digits = Math.min(15, most + scale);
      const behind = Math.min(scale, digits - 1);
      return { type: 'decimal', precision: digits, scale: behind, min: begin, max: 10 ** (digits - behind) - 1 };
    }
    case 'text':
      return { type: 'text', minLength: Math.max(1, least), maxLength: Math.max(1, most) };
    case 'timestamp':
    case 'date':
      return { type: 'timestamp' };
    case 'uuid':
      return { type: 'uuid4' };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return null;
  }
}

import type { SeenKind, SeenValues } from '#engine-api/kept-statements.ts';

/** Collects what calls show of the values of a parameter. It keeps kinds and lengths, and values only if asked to. */
export interface ValueNotes {
  kind: SeenKind | null;
  least: number;
  most: number;
  scale: number;
  hasNegative: boolean;
  readonly kept: Map<string, number> | null;
}

/** The most different values of a parameter that are kept. */
const mostKept = 100;

export const newNotes = (keeps: boolean): ValueNotes => ({
  ...{ kind: null, least: Number.POSITIVE_INFINITY, most: 0, scale: 0, hasNegative: false },
  kept: keeps ? new Map() : null,
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const date = /^\d{4}-\d\d-\d\d$/;
const timestamp = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?\s*(Z|[+-]\d\d(:?\d\d)?)?$/i;
const number = /^(-?)(\d+)(?:\.(\d+))?$/;

function kindOf(value: string): SeenKind {
  const found = number.exec(value);
  if (found) return found[3] === undefined ? 'integer' : 'decimal';
  if (uuid.test(value)) return 'uuid';
  if (date.test(value)) return 'date';
  if (timestamp.test(value)) return 'timestamp';
  return /^(true|false)$/i.test(value) ? 'boolean' : 'text';
}

/** The kind that has the values of both. */
function together(a: SeenKind | null, b: SeenKind): SeenKind {
  if (a === null || a === b) return b;
  const [both, has] = [[a, b], (one: SeenKind) => a === one || b === one];
  if (both.every((one) => one === 'integer' || one === 'decimal')) return 'decimal';
  return has('date') && has('timestamp') ? 'timestamp' : 'text';
}

/** Notes one value; null: an SQL null. */
export function noteValue(notes: ValueNotes, value: string | null): void {
  if (value === null) return;
  const kind = kindOf(value);
  const before = notes.kind;
  notes.kind = together(before, kind);
  const digits = kind === 'integer' || kind === 'decimal' ? number.exec(value) : null;
  // Numbers of a parameter that also has texts count by their characters.
  const length = digits && notes.kind !== 'text' ? digits[2]!.length : value.length;
  notes.least = Math.min(notes.least, length);
  notes.most = Math.max(notes.most, length);
  notes.scale = Math.max(notes.scale, digits?.[3]?.length ?? 0);
  notes.hasNegative ||= digits?.[1] === '-';
  if (notes.kept && (notes.kept.size < mostKept || notes.kept.has(value)))
    notes.kept.set(value, (notes.kept.get(value) ?? 0) + 1);
}

/** The notes as values that can be sent. */
export const seenOf = ({ kind, least, most, scale, hasNegative, kept }: ValueNotes): SeenValues => ({
  ...{ kind, least: kind === null ? 0 : least, most, scale, hasNegative },
  ...(kept && { kept: [...kept].toSorted(([, a], [, b]) => b - a) }),
});

/** A literal of a text without its quotes. */
export function unquotedLiteral(written: string): string {
  const open = written.search(/['"]/);
  if (open === -1) return written;
  const quote = written[open]!;
  return written.slice(open + 1, -1).replaceAll(quote + quote, quote);
}

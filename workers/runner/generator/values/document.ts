import { decodeColumn, type Value } from '#model/batch/decode.ts';
import type { FieldSpec, ValueSpec } from '#model/dataset/column-specs.ts';
import { columnType } from '#model/dataset/columns.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { byFieldName, withoutTrailingZeros } from '#model/text/json-text.ts';
import { type Stream, stream } from '#stats/random/random.ts';
import { firstWord, innerSeed } from '../hash.ts';
import { listed, type Rows, rowAt } from '../rows.ts';
import type { MakeVariable } from '../value-bytes.ts';
import { makeNulls, valueMaker, valuesOf } from '../value-maker.ts';

/** Writes one value per row as JSON text. */
type WriteJson = (rows: Rows, key: Stream) => string[];

/** The form of JSON: with the fields and values of the file, or canonical (model/text/json-text.ts). */
interface Form {
  readonly seed: number;
  readonly canonical: boolean;
}

/** Writes objects with these fields as JSON text. */
export function documents(fields: Readonly<Record<string, FieldSpec>>, form: Form): MakeVariable {
  const write = objects(fields, form);
  return (rows, key) => {
    const texts = write(rows, key);
    const bytes = new TextEncoder().encode(texts.join(''));
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const bytesOf = bytes.length === characters ? (text: string) => text.length : Buffer.byteLength;
    const offsets = new Uint32Array(rows.count + 1);
    for (let r = 0; r < rows.count; r++) offsets[r + 1] = offsets[r]! + bytesOf(texts[r]!);
    return { bytes, offsets };
  };
}

function objects(fields: Readonly<Record<string, FieldSpec>>, form: Form): WriteJson {
  const placed = Object.entries(fields).map(([name, spec], place) => ({ name, write: field(spec, place, form) }));
  if (form.canonical) placed.sort((a, b) => byFieldName(a.name, b.name));
  const members = placed.map(({ name, write }, i) => [`${i === 0 ? '' : ','}${JSON.stringify(name)}:`, write] as const);
  return (rows, key) => {
    const texts = new Array<string>(rows.count).fill('{');
    for (const [label, write] of members) {
      const values = write(rows, key);
      for (let r = 0; r < rows.count; r++) texts[r] += label + values[r]!;
    }
    for (let r = 0; r < rows.count; r++) texts[r] += '}';
    return texts;
  };
}

/** Each field has two streams, one for values and one for nulls, by its position in the object or list. */
function field(spec: FieldSpec, place: number, form: Form): WriteJson {
  const write =
    spec.type === 'object' ? objects(spec.fields, form) : spec.type === 'list' ? lists(spec, form) : leaves(spec, form);
  return (rows, key) => {
    const texts = write(rows, stream(innerSeed(key), 2 * place));
    if (spec.nulls === 0) return texts;
    const nulls = makeNulls(spec.nulls, rows, stream(innerSeed(key), 2 * place + 1));
    return texts.map((text, r) => (nulls[r] === 1 ? 'null' : text));
  };
}

/** Element e of row n is row n × longest + e of the elements. */
function lists({ of, minLength, maxLength }: FieldSpec & { readonly type: 'list' }, form: Form): WriteJson {
  const write = field(of, 0, form);
  const span = maxLength - minLength + 1;
  return (rows, key) => {
    const lengths = Array.from(
      { length: rows.count },
      (_, r) => minLength + Math.floor((firstWord(key, rowAt(rows, r)) >>> 0) * 2 ** -32 * span),
    );
    const elements = new Float64Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const [r, length] of lengths.entries())
      for (let e = 0; e < length; e++) elements[at++] = rowAt(rows, r) * maxLength + e;
    const texts = write(listed(elements), key);
    let end = 0;
    return lengths.map((length) => {
      end += length;
      return `[${texts.slice(end - length, end).join(',')}]`;
    });
  };
}

function leaves(spec: ValueSpec, { seed, canonical }: Form): WriteJson {
  const maker = valueMaker(spec, seed);
  const type = columnType(spec);
  const text =
    canonical && type.kind === 'decimal'
      ? (value: Value) => withoutTrailingZeros(String(value))
      : unquoted.has(type.kind)
        ? String
        : jsonText;
  return (rows, key) => decodeColumn(valuesOf(maker, rows, key, null), type, rows.count).map(text);
}

const unquoted: ReadonlySet<ColumnType['kind']> = new Set(['bigint', 'decimal', 'boolean']);

const jsonText = (value: Value): string =>
  JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);

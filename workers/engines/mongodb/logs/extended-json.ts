import { isMapping } from '#model/is-mapping.ts';

/** Members of extended JSON that stand for a number. */
const numbers = ['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'];
/** Members that stand for a value of another type: an experiment needs its place alone. */
const values = ['$oid', '$binary', '$uuid', '$timestamp', '$symbol', '$code', '$minKey', '$maxKey', '$undefined'];

/** The values of a document in extended JSON, canonical or relaxed (specification, "MongoDB Extended JSON"). */
export function fromExtended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromExtended);
  if (!isMapping(value)) return value;
  const [name] = Object.keys(value);
  if (name !== undefined && numbers.includes(name)) return Number(value[name]);
  if (name === '$date') {
    const at = fromExtended(value.$date);
    return new Date(typeof at === 'number' ? at : String(at));
  }
  if (name !== undefined && values.includes(name)) return name === '$oid' ? String(value.$oid) : null;
  if (name === '$regularExpression') return '/…/';
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fromExtended(one)]));
}

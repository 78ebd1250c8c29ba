import { isMapping } from '../is-mapping.ts';
import type { UuidOrder } from './uuid-order.ts';

/**
 * An experiment with its sequential uuids in the order of one engine, except for uuids with an explicit order. The type
 * stays, because entries are only added.
 */
export const withUuidOrder = <E>(experiment: E, order: UuidOrder): E => ordered(experiment, order) as E;

function ordered(value: unknown, order: UuidOrder): unknown {
  if (Array.isArray(value)) return value.map((one) => ordered(one, order));
  if (!isMapping(value)) return value;
  if (value.type === 'uuidSequential' && value.order === 'asEngine') return { ...value, order };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, ordered(one, order)]));
}

import type { Batch } from '#model/batch/batch.ts';
import { changedColumn } from '#model/dataset/changed-column.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Link } from '../connection/link.ts';
import type { RavenOptions } from '../options.ts';
import { literalPatchScript, patchScript } from '../queries.ts';
import { type FieldValue, fieldValues, keyMaker, ofDriver } from '../values/documents.ts';

/** The parts with which an operation works. */
export interface Work {
  readonly link: Link;
  readonly table: TablePlan;
  readonly options: RavenOptions;
}

/** A change of one document: JavaScript that the server runs on it. */
export interface Patch {
  readonly id: string;
  readonly script: string;
  /** The arguments of the script. */
  readonly values: Readonly<Record<string, FieldValue>>;
}

/** A patch for each row, with its value as an argument or in its text. */
export function patchMaker({ table, options }: Work, literal: boolean): (batch: Batch) => Patch[] {
  const changed = changedColumn(table);
  if (changed === null) throw new DynoError('badInput', 'There is no column besides the key that could be changed.');
  const keys = keyMaker(table, options.dates);
  const { name, type } = table.columns[changed]!;
  const script = patchScript(name);
  return (batch) => {
    const values = fieldValues(batch.columns[1]!, type, batch.rows, options.dates).map(ofDriver);
    return keys(batch).map(({ id }, r) => {
      const value = values[r]!;
      return literal ? { id, script: literalPatchScript(name, value), values: {} } : { id, script, values: { value } };
    });
  };
}

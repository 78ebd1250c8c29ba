import * as v from 'valibot';
import { readJson, writeAtomically } from '#platform/json-file.ts';

/** The last check of each thing of a kind, by name or id. */
interface LastChecks<T> {
  /** Null if it was not checked, or has changed since. */
  last(key: string): T | null;
  note(key: string, check: T): void;
  /** Forgets the check of a thing that has changed. */
  forget(key: string): void;
}

/** Opens the checks in a file of Dyno's. The file is a cache: without it, everything looks unchecked. */
export function openLastChecks<T>(file: string, schema: v.GenericSchema<unknown, T>): LastChecks<T> {
  const readAll = (): Readonly<Record<string, unknown>> => {
    const value = readJson(file);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  };
  const write = (all: Readonly<Record<string, unknown>>): void => {
    try {
      writeAtomically(file, JSON.stringify(all));
    } catch {
      // A full disk must not prevent the check's report.
    }
  };
  return {
    last(key) {
      const all = readAll();
      const check = v.safeParse(schema, Object.hasOwn(all, key) ? all[key] : undefined);
      return check.success ? check.output : null;
    },
    note: (key, check) => write({ ...readAll(), [key]: check }),
    forget(key) {
      const { [key]: known, ...rest } = readAll();
      if (known) write(rest);
    },
  };
}

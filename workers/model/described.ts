import * as v from 'valibot';

/** A schema with a description: the help of its form field and of a wrong value, and part of the JSON Schema. */
export const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

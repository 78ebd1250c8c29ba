import * as v from 'valibot';
import { described } from '../file-key.ts';

/** The value of an engine-specific option. */
export type OptionValue = string | number | boolean;

/**
 * Values of engine-specific options by name: `engine.option` in an experiment ("sqlserver.packetSize"), the short name
 * inside an engine.
 */
export type Options = Readonly<Record<string, OptionValue>>;

/** The full name of an engine-specific option. The engines' descriptors list the options. */
export const optionName = v.pipe(v.string(), v.regex(/^[a-z]+\.[a-zA-Z]+$/, 'is not of the form engine.option'));

/** Engine-specific options by full name, such as sqlserver.packetSize. */
export const optionsSchema = described(
  v.record(optionName, v.union([v.string(), v.number(), v.boolean()])),
  'Engine-specific options, e.g. sqlserver.packetSize: 4096. They have no effect on other engines.',
);

import * as v from 'valibot';
import { identifier } from '../dataset/column-parts.ts';
import { described } from '../file-key.ts';
import { textSchema } from './statements.ts';

/** The most statements of `setup`. */
const mostSetup = 100;

/** The statements that make objects beside Dyno's tables, by the names of these objects. */
export const setupSchema = described(
  v.pipe(v.record(identifier, textSchema), v.maxEntries(mostSetup)),
  'Statements that run once a trial when its tables are filled, outside of the clock: each makes a function, procedure, view, trigger or statistics, or works on tables of Dyno’s. {name} stands for the object that the statement with this name makes, and other texts write {name}, too. Dyno drops the objects with the tables. One text, or a text per engine (or target) and `default`: an engine without a text leaves the statement out.',
);

/** The statements that run after the trial, by names of their own. */
export const teardownSchema = described(
  v.pipe(v.record(identifier, textSchema), v.maxEntries(mostSetup)),
  'Statements that run once a trial after its rows are verified and before its tables are dropped, outside of the clock: each drops or calls what a statement of `setup` has made, written as {name}, or works on tables of Dyno’s. They make nothing, and Dyno drops whatever is left of `setup` without them. One text, or a text per engine (or target) and `default`: an engine without a text leaves the statement out.',
);

/** The name at the server of the object that a statement of `setup` makes. `ofTrial`: the name of the trial's table. */
export const objectName = (ofTrial: string, name: string): string => `${ofTrial}${betweenNames}${name}`;
/** The first part of the names of a trial's objects, which no table's name has. */
export const objectPrefix = (ofTrial: string): string => `${ofTrial}${betweenNames}`;
const betweenNames = '_setup_';

/** True for the name of an object of `setup`: the tag of a run in it is one that nobody else has. */
export const isObjectName = (name: string): boolean => /^dyno_[0-9a-f]{8}_(?:\d+|try)_setup_[a-z]/i.test(name);

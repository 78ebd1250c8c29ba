import * as v from 'valibot';
import { integer } from '../numbers.ts';
import { defineSetting, whereUsed } from './setting.ts';
import { methods, nullBindings, operations } from './vocabulary.ts';

/** Settings of a single call: its operation and method. */
export const operationSettings = {
  operation: defineSetting({
    schema: v.picklist(operations),
    default: 'insert',
    label: 'Operation',
    help: 'What is done. copy: rows of a loaded table are read through a cursor, each gets a new key, and goes into a second table by `method`.',
    scope: 'call',
    changesRows: true,
  }),
  method: defineSetting({
    schema: v.picklist(methods),
    default: 'prepared',
    label: 'Method',
    help: 'How the driver sends the work to the server.',
    scope: 'call',
  }),
  rowsPerCall: defineSetting({
    schema: integer(1, 1_000_000),
    default: 1,
    label: 'Rows per call',
    help: 'Rows (or keys) sent with one call. For bulk: rows per COPY.',
    scope: 'call',
    changesRows: true,
  }),
  callsPerCommit: defineSetting({
    schema: integer(1, 10_000_000),
    default: 1,
    label: 'Calls per commit',
    help: '1: every call commits by itself.',
    scope: 'call',
  }),
  maxAttempts: defineSetting({
    schema: integer(1, 10_000),
    default: 10,
    label: 'Max attempts',
    help: 'How many times Dyno attempts a call that commits by itself, or a whole transaction, when the server rolls it back because of a deadlock or serialization failure. 1: no retry.',
    scope: 'call',
    appliesTo: ({ operation }) => operation !== 'copy',
  }),
  pipelineDepth: defineSetting({
    schema: integer(1, 10_000),
    default: 64,
    label: 'Pipeline depth',
    help: 'Calls in flight on one connection; pipelined method only.',
    scope: 'call',
    appliesTo: ({ pipelines }) => pipelines,
  }),
  generation: defineSetting({
    schema: v.picklist(['prepared', 'inline']),
    default: 'prepared',
    label: 'Generation',
    help: 'prepared: rows are generated before the clock starts. inline: rows are generated inside the loop, and their cost is shown separately.',
    scope: 'call',
    appliesTo: ({ serverData }) => !serverData,
  }),
  bulkFormat: defineSetting({
    schema: v.picklist(['text', 'binary']),
    default: 'binary',
    label: 'Bulk format',
    help: 'Wire format of the bulk method, where the engine has both; where it has one, the other is impossible or, as the default, stands for it.',
    scope: 'call',
    appliesTo: whereUsed,
    asks: ({ method }) => method === 'bulk',
  }),
  nullBinding: defineSetting({
    schema: v.picklist(nullBindings),
    default: 'asColumn',
    label: 'Null binding',
    help: 'The type that an inserted null is bound as. asColumn: its column’s type, precision and scale included. asDecimal: for a decimal column, a decimal of the largest precision and no scale, as a program binds it that states neither. asFloat, asText: a type that a program guesses. untyped: no type. Nulls of columns to which the engine does not convert that type are bound as their columns; where no other nulls remain, the cell is empty.',
    scope: 'call',
    appliesTo: ({ sendsNulls }) => sendsNulls,
  }),
};

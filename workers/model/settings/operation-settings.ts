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
    help: 'The operation that each call runs. copy: Dyno reads rows of a loaded table through a cursor, gives each a new key, and inserts it into a second table by `method`.',
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
    help: 'Number of rows (or keys) that one call sends. For bulk: rows per COPY.',
    scope: 'call',
    changesRows: true,
  }),
  callsPerCommit: defineSetting({
    schema: integer(1, 10_000_000),
    default: 1,
    label: 'Calls per commit',
    help: 'Number of calls in a transaction. 1: every call commits by itself.',
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
    help: 'Maximum number of calls in flight on one connection. Only for the pipelined method.',
    scope: 'call',
    appliesTo: ({ pipelines }) => pipelines,
  }),
  callsPerBatch: defineSetting({
    schema: integer(1, 10_000),
    default: 10,
    label: 'Calls per batch',
    help: 'Number of calls that a connection sends in one message before it waits for all of their answers. Throughput counts each call; the response time of each is that of its batch. A batch ends with its transaction (callsPerCommit). Only for the batch method.',
    scope: 'call',
    appliesTo: ({ batches }) => batches,
  }),
  generation: defineSetting({
    schema: v.picklist(['prepared', 'inline']),
    default: 'prepared',
    label: 'Generation',
    help: 'prepared: Dyno generates the rows before the clock starts. inline: Dyno generates the rows during the measured phase and shows their cost separately.',
    scope: 'call',
    appliesTo: ({ serverData }) => !serverData,
  }),
  bulkFormat: defineSetting({
    schema: v.picklist(['text', 'binary']),
    default: 'binary',
    label: 'Bulk format',
    help: 'Wire format of the bulk method. If an engine has only one format, the default selects this format and the other one is not supported.',
    scope: 'call',
    appliesTo: whereUsed,
    asks: ({ method }) => method === 'bulk',
  }),
  nullBinding: defineSetting({
    schema: v.picklist(nullBindings),
    default: 'asColumn',
    label: 'Null binding',
    help: 'Type with which the driver binds an inserted null. asColumn: the column’s type, with precision and scale. asDecimal: for decimal columns, a decimal of the largest precision without scale, as programs do that set neither. asFloat, asText: a type that programs guess. untyped: no type. If the engine cannot convert this type to a column, nulls of the column are bound as asColumn; if no other nulls remain, the cell is skipped.',
    scope: 'call',
    appliesTo: ({ sendsNulls }) => sendsNulls,
  }),
};

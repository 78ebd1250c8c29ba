import * as v from 'valibot';

/** What is done. */
export const operations = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'] as const;
export type OperationName = (typeof operations)[number];
/** Those that leave the table as it was. */
export const readOnlyOperations: readonly OperationName[] = ['readByKey', 'readRange', 'scan'];

/** How the driver does it. What a method really is on an engine is in that engine's descriptor. */
export const methods = [
  'literal',
  'bind',
  'prepared',
  'pipelined',
  'multiRow',
  'arrayBind',
  'bulk',
  'serverLoop',
] as const;
export type MethodName = (typeof methods)[number];

const count = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max));

/**
 * Everything about a workload that can be fixed or varied, one entry a knob: the one source of the form's fields, the
 * file's keys, the JSON Schema and the factor names.
 */
export const settingsEntries = {
  operation: v.pipe(v.picklist(operations), v.title('Operation'), v.description('What is done.')),
  method: v.pipe(v.picklist(methods), v.title('Method'), v.description('How the driver does the work.')),
  connections: v.pipe(
    count(10_000),
    v.title('Connections'),
    v.description('Physical connections, each with one virtual user in a closed loop.'),
  ),
  processes: v.pipe(
    count(64),
    v.title('Processes'),
    v.description('Worker processes the connections are spread over.'),
  ),
  rowsPerCall: v.pipe(
    count(1_000_000),
    v.title('Rows per call'),
    v.description('Rows (or keys) sent with one call. For bulk: rows per COPY.'),
  ),
  callsPerCommit: v.pipe(
    count(10_000_000),
    v.title('Calls per commit'),
    v.description('1: every call commits by itself.'),
  ),
  pipelineDepth: v.pipe(
    count(10_000),
    v.title('Pipeline depth'),
    v.description('Calls in flight on one connection; pipelined method only.'),
  ),
  generation: v.pipe(
    v.picklist(['prepared', 'inline']),
    v.title('Generation'),
    v.description(
      'prepared: rows are made before the clock starts. inline: made inside the loop, their cost shown apart.',
    ),
  ),
  bulkFormat: v.pipe(
    v.picklist(['text', 'binary']),
    v.title('Bulk format'),
    v.description('Wire format of the bulk method.'),
  ),
  fetchSize: v.pipe(
    count(1_000_000),
    v.title('Fetch size'),
    v.description('Rows per round trip when reading ranges and scans through a cursor.'),
  ),
  rangeRows: v.pipe(count(10_000_000), v.title('Rows per range'), v.description('Rows that one range read returns.')),
  keyChoice: v.pipe(
    v.picklist(['uniform', 'zipf', 'hotSet']),
    v.title('Choice of keys'),
    v.description(
      'Which existing keys are read, updated or deleted. hotSet: 80 % of the calls go to 20 % of the keys.',
    ),
  ),
} as const;

export const settingNames = Object.keys(settingsEntries) as readonly SettingName[];
export type SettingName = keyof typeof settingsEntries;

/**
 * What only one engine has: packet size, table organisation, write concern… Keys are `engine.option` ("sqlserver.packetSize"); which there
 * are is in the engines' descriptors. Each engine sees its own ones alone (engine-options.ts).
 */
export const optionName = v.pipe(v.string(), v.regex(/^[a-z]+\.[a-zA-Z]+$/, 'is not of the form engine.option'));
export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;
export const optionsSchema = v.pipe(
  v.record(optionName, v.union([v.string(), v.number(), v.boolean()])),
  v.description('Options of single engines, e.g. sqlserver.packetSize: 4096. Other engines do not heed them.'),
);

/** All knobs of one variant, resolved. */
export type Settings = { readonly [K in SettingName]: v.InferOutput<(typeof settingsEntries)[K]> } & {
  readonly options: Options;
};

/** Values where file and factors are silent. */
export const defaultSettings: Settings = {
  operation: 'insert',
  method: 'prepared',
  connections: 1,
  processes: 1,
  rowsPerCall: 1,
  callsPerCommit: 1,
  pipelineDepth: 64,
  generation: 'prepared',
  bulkFormat: 'binary',
  fetchSize: 1_000,
  rangeRows: 100,
  keyChoice: 'uniform',
  options: {},
};

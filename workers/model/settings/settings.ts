import * as v from 'valibot';

/** What is done with the dataset's table, in statements of the engines' own. */
export const tableOperations = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'] as const;
export type TableOperation = (typeof tableOperations)[number];
/** What is done. copy: rows of one table are read and inserted into a second; statement: the experiment's own statements (statements.ts). */
export const operations = [...tableOperations, 'copy', 'statement'] as const;
export type OperationName = (typeof operations)[number];
/** Those that bring rows into an empty table. */
export const fillingOperations: readonly OperationName[] = ['insert', 'copy'];
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

/** When a key or an index comes to be: with the empty table, in one go when the rows are there, or never. */
export const builds = ['withTable', 'afterLoad', 'none'] as const;
export type Build = (typeof builds)[number];

/** How existing rows are chosen. */
export const keyChoices = ['uniform', 'zipf', 'hotSet', 'latest'] as const;

/** How a null among the values of an insert is bound. */
export const nullBindings = ['asColumn', 'asDecimal', 'asFloat', 'asText', 'untyped'] as const;
export type NullBinding = (typeof nullBindings)[number];

/** What transactions see of each other; the weakest first. default: as server and connection have it. */
export const isolations = [
  'default',
  'readUncommitted',
  'readCommitted',
  'repeatableRead',
  'snapshot',
  'serializable',
] as const;
export type Isolation = (typeof isolations)[number];

/** Who decides when work begins (Schroeder, Wierman and Harchol-Balter, "Open Versus Closed: A Cautionary Tale", NSDI 2006). */
export const loads = ['closed', 'open', 'partlyOpen'] as const;

const count = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max));
const atLeastNone = (max: number) => v.pipe(v.number(), v.minValue(0), v.maxValue(max));

/**
 * Everything about a workload that can be fixed or varied, one entry a knob: the one source of the form's fields, the
 * file's keys, the JSON Schema and the factor names.
 */
export const settingsEntries = {
  operation: v.pipe(
    v.picklist(operations),
    v.title('Operation'),
    v.description(
      'What is done. copy: rows of a loaded table are read through a cursor, each gets a new key, and goes into a second table by `method`.',
    ),
  ),
  method: v.pipe(v.picklist(methods), v.title('Method'), v.description('How the driver does the work.')),
  connections: v.pipe(
    count(10_000),
    v.title('Connections'),
    v.description('Physical connections. Who calls on them, and when, is what `load` says.'),
  ),
  processes: v.pipe(
    count(64),
    v.title('Processes'),
    v.description('Worker processes the connections are spread over.'),
  ),
  load: v.pipe(
    v.picklist(loads),
    v.title('Load'),
    v.description(
      'closed: so many users, each of which waits for its answer, thinks, and calls again. open: units of work arrive at a rate, whether or not the server answers. partlyOpen: sessions of several units arrive at a rate, and think between units.',
    ),
  ),
  users: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(1_000_000),
    v.title('Users'),
    v.description(
      'Virtual users of a closed load; where there are more than connections, they wait for a free one. 0: one a connection.',
    ),
  ),
  arrivals: v.pipe(
    v.picklist(['constant', 'poisson']),
    v.title('Arrivals'),
    v.description('constant: at equal distances. poisson: independent of each other, at exponential distances.'),
  ),
  arrivalsPerSecond: v.pipe(
    atLeastNone(1_000_000),
    v.title('Arrivals a second'),
    v.description(
      'Units of work (open load: calls that commit by themselves, or transactions) or sessions (partly open) that arrive each second; may be a fraction.',
    ),
  ),
  unitsPerSession: v.pipe(
    v.number(),
    v.minValue(1),
    v.maxValue(1_000_000),
    v.title('Units per session'),
    v.description('Units of work that a session of a partly open load runs one after another, on average.'),
  ),
  sessionLength: v.pipe(
    v.picklist(['constant', 'geometric']),
    v.title('Length of sessions'),
    v.description(
      'constant: all of unitsPerSession. geometric: each unit may be the last one, with equal probability.',
    ),
  ),
  thinkTime: v.pipe(
    v.picklist(['constant', 'uniform', 'exponential', 'logNormal']),
    v.title('Think time'),
    v.description(
      'Distribution of think times around thinkMs. uniform: 0 to twice the mean. logNormal: its standard deviation is its mean.',
    ),
  ),
  thinkMs: v.pipe(
    atLeastNone(3_600_000),
    v.title('Think time, mean (ms)'),
    v.description('How long a user, or a session, pauses between an answer and its next unit of work.'),
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
  maxTries: v.pipe(
    count(10_000),
    v.title('Most tries'),
    v.description(
      'How often a call that commits by itself, or all calls of a transaction, are tried when the server undoes them for a deadlock or serialization failure. 1: never again.',
    ),
  ),
  isolation: v.pipe(
    v.picklist(isolations),
    v.title('Isolation'),
    v.description(
      'What every session of the clients has, for transactions and for calls that commit by themselves. default: as server and connection have it. Engines name the others differently, and none has them all: levels that are one thing on an engine run once.',
    ),
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
    v.description(
      'Rows at a time when reading ranges, scans and what is copied through a cursor: a round trip each, or held ahead where the protocol streams.',
    ),
  ),
  rangeRows: v.pipe(count(10_000_000), v.title('Rows per range'), v.description('Rows that one range read returns.')),
  rangeColumn: v.pipe(
    v.string(),
    v.regex(/^([a-zA-Z_]\w*)?$/, 'is no name of a column'),
    v.maxLength(60),
    v.title('Range over'),
    v.description(
      'Column of numbers or times of which ranges ask for all values from a low one to below a high one, chosen so that about `rangeRows` rows match. Empty: ranges begin at a key and end after `rangeRows` rows.',
    ),
  ),
  copyFrom: v.pipe(
    v.string(),
    v.maxLength(120),
    v.title('Copy from'),
    v.description(
      'Of a copy: the target of this experiment whose rows are read; they are loaded there before the clock. Empty: a second table of the same target.',
    ),
  ),
  orderBy: v.pipe(
    v.string(),
    v.regex(/^([a-zA-Z_]\w*)?$/, 'is no name of a column'),
    v.maxLength(60),
    v.title('Scan sorted by'),
    v.description(
      'Column in whose order a scan asks for all rows (ORDER BY); nulls, and text of the same letters, as the engine orders them. Empty: rows come as they come.',
    ),
  ),
  sortMemoryKb: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(2_000_000_000),
    v.title('Sort memory (KB)'),
    v.description(
      'What a session may use for a sort (KB of 1,024 bytes) before it writes temporary files. 0: as the server is set.',
    ),
  ),
  dates: v.pipe(
    v.picklist(['native', 'isoText', 'ticks']),
    v.title('Timestamps stored as'),
    v.description(
      'native: the engine’s own type. isoText: text like 2024-02-29T12:34:56.000789Z. ticks: whole numbers, µs since 1970.',
    ),
  ),
  documents: v.pipe(
    v.picklist(['text', 'native']),
    v.title('Documents stored as'),
    v.description(
      'text: JSON text, fields in the order of the file. native: the engine’s own type (jsonb, JSON, nested documents), and JSON text where it has none; fields by length of name, then by name.',
    ),
  ),
  nullBinding: v.pipe(
    v.picklist(nullBindings),
    v.title('Binding of nulls'),
    v.description(
      'What a null that is inserted is declared as. asColumn: as its column, precision and scale included. asDecimal: of a decimal column, as a decimal of the largest precision without places, as a program does that names none. asFloat, asText: as a program does that guesses. untyped: as nothing. Nulls of columns to which the engine converts no such null stay as their columns; where there are no others the cell is empty.',
    ),
  ),
  nullShare: v.pipe(
    v.number(),
    v.minValue(-1),
    v.maxValue(1),
    v.check((share) => share === -1 || share >= 0, 'Between −1 and 0 there is no share'),
    v.title('Share of nulls'),
    v.description(
      'Of the columns that hold nulls in the dataset: how many of their values are null. 0: none. −1: as the dataset says.',
    ),
  ),
  keyChoice: v.pipe(
    v.picklist(keyChoices),
    v.title('Choice of keys'),
    v.description(
      'Which existing keys are read, updated or deleted. hotSet: 80 % of the calls go to 20 % of the keys. latest: zipf, with the newest row as the favourite; of own statements those that they inserted, too.',
    ),
  ),
  workingSet: v.pipe(
    v.number(),
    v.minValue(0.000_001),
    v.maxValue(1),
    v.title('Working set'),
    v.description(
      'Share of the rows that calls choose from: those that were loaded first, so that they lie together where keys ascend. Of ranges over a column: the lowest share of its values. 1: all.',
    ),
  ),
  keyKind: v.pipe(
    v.picklist(['asDataset', 'uuid4', 'uuid7', 'uuidSequential', 'sequence']),
    v.title('Kind of key'),
    v.description(
      'What the column dataset.key holds instead of what the dataset says. uuid4: at random. uuid7: the time is in its first bytes, which is no order where an engine compares others first. uuidSequential: ascends as the engine of each target compares uuids; uuid7 where that is by the first bytes. sequence: 1, 2, 3…',
    ),
  ),
  keyBuild: v.pipe(
    v.picklist(builds),
    v.title('Key is made'),
    v.description(
      'withTable: before the first row. afterLoad: when all rows are in, its time counted as a part of inserting them. none: never; no row is found by its key.',
    ),
  ),
  partitions: v.pipe(
    count(256),
    v.title('Partitions'),
    v.description('The table is spread over so many by a hash of its key. 1: it is in one piece.'),
  ),
  indexBuild: v.pipe(
    v.picklist(builds),
    v.title('Indexes are made'),
    v.description(
      'Those of dataset.indexes and of `tables`: before the first row, when all rows are in (as with the key), or never.',
    ),
  ),
  foreignKeys: v.pipe(
    v.boolean(),
    v.title('Foreign keys'),
    v.description(
      'Whether columns that refer to one of `tables` are declared as foreign keys, which the engine checks with every change, where it has them.',
    ),
  ),
  cache: v.pipe(
    v.picklist(['asIs', 'cold']),
    v.title('Server’s cache'),
    v.description(
      'cold: right before each trial the server’s own cache of data is emptied, by a command of the engine (of the whole server, for everybody on it) or by a restart of a server that Dyno has started, and there is no warm-up. The system’s page cache may still hold the files. asIs: as loading and the trials before have left it.',
    ),
  ),
  networkRoundTripMs: v.pipe(
    atLeastNone(10_000),
    v.title('Network round trip (ms)'),
    v.description(
      'Added to every round trip by a relay between the client and the server, half of it each way. 0, with no jitter and no limit: no relay.',
    ),
  ),
  networkJitterMs: v.pipe(
    atLeastNone(10_000),
    v.title('Network jitter (ms)'),
    v.description('At most so much more a round trip takes, at random: half of it each way, evenly distributed.'),
  ),
  networkMbit: v.pipe(
    atLeastNone(100_000),
    v.title('Network bandwidth (Mbit/s)'),
    v.description('In each direction, shared by all connections. 0: no limit.'),
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
  load: 'closed',
  users: 0,
  arrivals: 'poisson',
  arrivalsPerSecond: 0,
  unitsPerSession: 1,
  sessionLength: 'geometric',
  thinkTime: 'exponential',
  thinkMs: 0,
  rowsPerCall: 1,
  callsPerCommit: 1,
  maxTries: 10,
  isolation: 'default',
  pipelineDepth: 64,
  generation: 'prepared',
  bulkFormat: 'binary',
  fetchSize: 1_000,
  rangeRows: 100,
  rangeColumn: '',
  copyFrom: '',
  orderBy: '',
  sortMemoryKb: 0,
  dates: 'native',
  documents: 'text',
  nullBinding: 'asColumn',
  nullShare: -1,
  keyChoice: 'uniform',
  workingSet: 1,
  keyKind: 'asDataset',
  keyBuild: 'withTable',
  partitions: 1,
  indexBuild: 'withTable',
  foreignKeys: true,
  cache: 'asIs',
  networkRoundTripMs: 0,
  networkJitterMs: 0,
  networkMbit: 0,
  options: {},
};

/** Whether client sessions go through a relay that plays a network. Plans of older versions have no such settings. */
export const isRelayed = ({
  networkRoundTripMs = 0,
  networkJitterMs = 0,
  networkMbit = 0,
}: Partial<Settings>): boolean => networkRoundTripMs > 0 || networkJitterMs > 0 || networkMbit > 0;

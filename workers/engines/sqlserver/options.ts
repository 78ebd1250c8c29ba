import { type EngineOption, option } from '#engine-api/option.ts';
import type { Options } from '#model/settings/options.ts';
import { loopCommit } from '../shared/loop-commit.ts';

export const tableKinds = ['clustered', 'nonclustered', 'heap', 'newSequentialId', 'partitioned'] as const;
export const drivers = ['tedious', 'mssql'] as const;

const largestPacket = 32_767;

/** Loads in bulk, loops of the server's and the rows of copies go through the driver on both paths. */
const leanCells = (
  ['insert', 'copy', 'readByKey', 'readRange', 'scan', 'update', 'delete', 'statement'] as const
).flatMap((operation) =>
  (['literal', 'bind', 'prepared', 'batch', 'multiRow', 'arrayBind'] as const).map(
    (method) => `${operation}.${method}` as const,
  ),
);

/** The engine itself refuses it with the same reason, if a caller asks for it nevertheless. */
export const unknownKeys = 'The server makes the keys; the client does not know them, and so finds no row by key.';

const otherwise = 'Partitions are of clustered tables here; take table: clustered.';
/** The same reason applies if the experiment's setting asks for partitions. */
export const inOnePartition =
  'Uuids are spread by the six bytes that SQL Server compares first; in sequential ones these ascend together, and all go into one partition. Take uuid4 or uuid7.';
const keySpreads = 'Rows are spread over the partitions by their key.';

/** Options that only SQL Server has. */
export const options: readonly EngineOption[] = [
  option('driver', 'Driver', {
    help: 'What measured calls go through. tedious: over a connection of tedious’, with messages that Dyno makes before the clock: the least a Node client can spend. mssql: node-mssql (over tedious, too) by its own calls, as most applications use it: a pool of one connection with its defaults, which sends a SELECT 1 before each request outside a transaction. Schema, loading and probes always use tedious.',
    choices: drivers,
    defaultValue: 'tedious',
    unsupportedReasons: {
      mssql: { 'nullBinding.prepared': 'Its PreparedStatement declares parameters once, nulls as their columns.' },
    },
  }),
  option('path', 'Call path', {
    help: 'lean: Dyno writes the packets of a call to tedious’ connection, and counts the rows of the answer without decoding them. driver: a call is a request of tedious’ with a body that Dyno makes; the driver makes objects of rows and values. mssql has only its own path.',
    choices: ['lean', 'driver'],
    defaultValue: 'lean',
    cells: leanCells,
  }),
  option('compression', 'Compression', {
    help: 'DATA_COMPRESSION of the table, its key and its indexes. none. row: numbers and texts without unused bytes. page: also common values of a page once. Dyno declares it for B-trees and heaps; a columnstore index has its own.',
    choices: ['none', 'row', 'page'],
    defaultValue: 'none',
  }),
  option('table', 'Table organisation', {
    help: 'clustered: rows are kept in the order of the primary key. nonclustered: rows in a heap, the primary key beside it. heap: no index at all; what finds a row by key reads the whole table, and nothing refuses a key that is there already. newSequentialId: clustered by a uuid key that the server makes (DEFAULT NEWSEQUENTIALID()); the client’s keys are not sent and not compared. partitioned: clustered, spread over 16 partitions by the key, so that ever-growing keys do not all meet in one last page.',
    choices: tableKinds,
    defaultValue: 'clustered',
    serverKeys: ['newSequentialId'],
    unsupportedReasons: {
      heap: {
        'keyCreation.afterLoad': 'A heap without any index has no key, early or late.',
        partitions: otherwise,
        foreignKeys: 'A foreign key leads to a key, and a heap without any index has none.',
      },
      nonclustered: { partitions: otherwise },
      newSequentialId: {
        ...Object.fromEntries(
          ['readByKey', 'readRange', 'update', 'delete'].map((operation) => [operation, unknownKeys]),
        ),
        'keyCreation.afterLoad': 'The server makes each key as its row goes in.',
        'keyCreation.none': 'It is a kind of key.',
        partitions: otherwise,
        foreignKeys: 'The server makes the keys: no row knows the key of another one.',
      },
      partitioned: {
        foreignKeys: 'The primary key holds the partition, too, so that no foreign key can lead to its key alone.',
        'keyCreation.afterLoad': keySpreads,
        'keyCreation.none': keySpreads,
        'keyKind.uuidSequential': inOnePartition,
      },
    },
  }),
  option('packetSize', 'Packet size (bytes)', {
    help: 'Asked for at login; the server may grant less. Over an encrypted connection 16,383 is the most that it takes, and all that is asked for. The driver’s own default is 4,096.',
    min: 512,
    max: largestPacket,
    defaultValue: largestPacket,
  }),
  option('noDelay', 'TCP_NODELAY', {
    help: 'Off is the driver’s own default: then a request of more than one packet waits for the server’s delayed acknowledgement, some 40 ms.',
    defaultValue: true,
  }),
  option('tableLock', 'Table lock', {
    help: 'TABLOCK: one lock instead of one a row, and minimal logging where the recovery model allows it. Loads into a heap run side by side under it; into an index they take turns.',
    defaultValue: true,
    cells: ['insert.bulk', 'copy.bulk'],
  }),
  loopCommit(),
  option('loopCounts', 'Row counts of the server’s loop', {
    help: 'Off: SET NOCOUNT ON within the loop of serverLoop, so that the server reports no row count for its INSERTs. On: SET NOCOUNT OFF, the default of sessions: each turn sends a message with its count. Other methods send one statement a call, whose count Dyno checks, so that their sessions always have NOCOUNT OFF.',
    defaultValue: false,
    cells: ['insert.serverLoop'],
  }),
  option('maxdop', 'Processors of a query (MAXDOP)', {
    help: 'The hint OPTION (MAXDOP n) at the end of reading statements: a query uses at most n processors in parallel. 0: no hint, so that the limits of the workload group, the database and the server hold. Changing statements of an experiment keep their text.',
    max: 32_767,
    defaultValue: 0,
    cells: (['readRange', 'scan', 'statement'] as const).flatMap((operation) =>
      (['literal', 'bind', 'prepared'] as const).map((method) => `${operation}.${method}` as const),
    ),
  }),
  option('checkConstraints', 'Constraints checked by bulk loads', {
    help: 'CHECK_CONSTRAINTS: foreign keys are checked for the rows of a bulk load, as other methods of inserting do. Off is the default of bcp and BULK INSERT: the rows go in unchecked, and the server no longer trusts these keys, nor uses them for plans. Loads before the clock are always checked.',
    defaultValue: true,
    cells: ['insert.bulk', 'copy.bulk'],
  }),
  option('batchHint', 'Rows-per-batch hint', {
    help: 'ROWS_PER_BATCH tells the server how many rows come, so that it plans memory and sorting for them. Rows per call is what it says. mssql has no such hint and sends none.',
    defaultValue: true,
    cells: ['insert.bulk', 'copy.bulk'],
  }),
];

export interface SessionOptions {
  readonly packetSize: number;
  readonly noDelay: boolean;
  /** The lean path takes the socket over, if there is no TLS. Absent: it does not. */
  readonly isLean?: boolean;
}

/** The options of a session. Dyno's control connections have the defaults. */
export const sessionOptions = ({ packetSize = largestPacket, noDelay = true }: Options): SessionOptions => ({
  packetSize: Number(packetSize),
  noDelay: noDelay === true,
});

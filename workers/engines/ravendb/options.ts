import { type EngineOption, option } from '#engine-api/option.ts';
import { type OptionValues, optionReader } from '../shared/option-values.ts';

const noIndex = 'Ranges need an index.';
const notClusterWide = 'A cluster-wide transaction stores and deletes whole documents.';

export const options = [
  option('index', 'Index on the key', {
    help: 'The index for ranges. auto: RavenDB makes one for the first query. static: Dyno defines a map index. none: documents are found only by their ids.',
    choices: ['none', 'auto', 'static'],
    defaultValue: 'auto',
    unsupportedReasons: { none: { readRange: noIndex } },
  }),
  option('indexWhen', 'Index made', {
    help: 'beforeLoad: with the table, so that every write is indexed as well. afterLoad: before the first range is read, and only then; other operations run without an index.',
    choices: ['beforeLoad', 'afterLoad'],
    defaultValue: 'afterLoad',
  }),
  option('waitForNonStale', 'Wait for the index', {
    help: 'true: a query waits until the index knows all that was written before. false: it answers at once; an answer from before the last writes is counted as an error, never as right.',
    defaultValue: false,
    cells: ['readRange'],
  }),
  option('dates', 'Timestamps as', {
    help: 'date: text in RavenDB’s own format, which its indexes treat as a date. text: text that RavenDB does not treat as a date. ticks: a whole number, µs since 1970. All are exact.',
    choices: ['text', 'date', 'ticks'],
    defaultValue: 'date',
  }),
  option('optimisticConcurrency', 'Refuse ids that exist', {
    help: 'true: a document with an existing id is refused, as by a primary key. false: it replaces the existing document, which is the driver’s default.',
    defaultValue: true,
    cells: ['insert.bind', 'insert.multiRow'],
  }),
  option('transactionMode', 'Transactions', {
    help: 'singleNode: of the node that is asked. clusterWide: agreed on by the cluster (Raft) before they are done; without the guards that compare a document with what was loaded before, so that ids that exist are overwritten.',
    choices: ['singleNode', 'clusterWide'],
    defaultValue: 'singleNode',
    cells: ['insert.bind', 'insert.multiRow', 'update', 'delete'],
    unsupportedReasons: { clusterWide: { update: notClusterWide } },
  }),
  option('api', 'Calls by', {
    help: 'session: the driver’s sessions and bulk inserts, as applications use them. command: the driver’s request executor. Requests are written before the call and sent without fetch(), and answers are parsed as a whole, which takes the client a third of the time.',
    choices: ['session', 'command'],
    defaultValue: 'session',
    cells: ['insert', 'readByKey', 'readRange', 'update', 'delete'],
  }),
  option('scan', 'Scan by', {
    help: 'stream: one streaming query of the collection. pages: documents in the order of their ids, fetchSize at a time (loadStartingWith), which costs the client half as much.',
    choices: ['stream', 'pages'],
    defaultValue: 'stream',
    cells: ['scan'],
    unsupportedReasons: { pages: { orderBy: 'Pages have the order of the documents’ ids.' } },
  }),
  option('compression', 'Compression', {
    help: 'gzip of the server’s answers. The driver’s own default is true; on a fast network it only costs processor time on both sides. Over https servers compress only where their setting Http.AllowResponseCompressionOverHttps says so.',
    defaultValue: false,
  }),
] satisfies readonly EngineOption[];

export type RavenOptions = OptionValues<typeof options>;

export const readOptions = optionReader(options);

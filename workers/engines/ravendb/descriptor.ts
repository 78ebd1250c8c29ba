import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { cell, type Support } from '#engine-api/support.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { fields } from './config-fields.ts';
import { options } from './options.ts';

/** The most documents of a request, which then has a few megabytes. */
const maxDocuments = 10_000;
const many = (implementation: string, more: Partial<Support> = {}): Support =>
  cell(implementation, {
    maxRowsPerCall: maxDocuments,
    rowLimitReason: 'A saveChanges is one request and one transaction, and a longer one would delay those of others.',
    ...more,
  });
const session = 'a session of its own';
const between =
  'rangeColumn: all documents between two values, by one of dataset.indexes, or by one that the server makes for it, whatever indexCreation says';
const heavy = 'which the driver takes most of the client’s time for';

/** RQL, which names parameters by itself, and requests in JSON. */
export const statementLanguage: StatementLanguage = { language: 'rql', answersOwnTypes: true };

export const descriptor: EngineDescriptor = {
  id: 'ravendb',
  label: 'RavenDB',
  driver: 'ravendb (HTTP/1.1, JSON)',
  driverPackage: 'ravendb',
  support: {
    insert: {
      bind: cell(`${session}: store and saveChanges of one document, ${heavy}`),
      multiRow: many(
        `${session}: N times store, one saveChanges: a request and a transaction with N documents, which the driver serialises within the call`,
      ),
      bulk: cell(
        'bulkInsert of N documents: one operation, whose id is asked for first; the driver serialises within the call, and the server stores what has come in, transaction after transaction',
        { maxRowsPerCall: 1_000_000, overwrites: true, mayApplyPartially: true },
      ),
    },
    statement: {
      bind: cell(
        'POST /queries (RQL with its parameters beside it), /docs (a load by ids) or /bulk_docs (a batch of changes): documents are parsed, not made into entities; what a transaction changes is one batch, sent by its commit',
      ),
    },
    readByKey: {
      bind: cell(`${session}: load by id, ${heavy}`),
      multiRow: many(`${session}: load by N ids, one request`),
    },
    readRange: {
      literal: cell(
        `${session}: RQL with the key in its text, ordered by the key, n documents by an index (${between})`,
      ),
      bind: cell(
        `${session}: RQL with the key as a parameter, ordered by the key, n documents by an index (${between})`,
      ),
    },
    scan: {
      bind: cell(
        'a streaming query of the collection (orderBy: by an index, one of dataset.indexes or one that the server makes for it; option scan: pages of fetchSize documents, in the order of their ids)',
        { uses: ['fetchSize'] },
      ),
    },
    update: {
      literal: cell(`${session}: a patch by id with the value in its JavaScript, which the server compiles`),
      bind: cell(`${session}: a patch by id, its JavaScript compiled once and the value an argument`),
      multiRow: many(`${session}: N patches by id, one saveChanges: a request and a transaction`),
    },
    delete: {
      bind: cell(`${session}: delete by id and saveChanges`),
      multiRow: many(`${session}: N times delete by id, one saveChanges: a request and a transaction`),
    },
  },
  documents: 'nested JSON',
  statements: statementLanguage,
  unsupportedReasons: {
    pageUse: 'All collections share the pages of one file.',
    tableStatistics:
      'RavenDB keeps no statistics of the values of fields, and no schema: an index knows the terms of a field, but not which documents share them without reading these.',
    'pooler.session': 'Requests over HTTP share connections already.',
    'pooler.transaction': 'Requests over HTTP share connections already.',
    'tls.on': 'A server answers by https or by http, never by both: compare two targets.',
    'tls.off': 'A server answers by https or by http, never by both: compare two targets.',
    serverParameters: 'Dyno starts RavenDB with its default configuration alone.',
    setup:
      'RavenDB has no views, triggers, stored functions or rights of tables; static indexes are `indexes` of the table.',
    keptStatements: 'RavenDB counts no queries by their texts.',
    sessionSettings: 'Each request of RavenDB stands alone over HTTP, so there is no session that could have settings.',
    readOnlySessions:
      'The server has no read-only sessions. Dyno judges commands by their text; give it a certificate with Read access.',
    copy: 'Dyno reads documents of RavenDB only to count them, and does not copy their values.',
    isolation: 'There are no levels to choose from: each saveChanges is a transaction, which ends with the call.',
    nullBinding: 'JSON has one null, and it has no type.',
    literal: 'A document is JSON. Only queries and patches have texts that could contain values.',
    prepared: 'The server keeps no statements for clients; it caches queries and patches by their text.',
    pipelined: 'The driver uses HTTP/1.1, which has one request at a time on a connection.',
    batch: 'Several changes go in one saveChanges, which is one request and one transaction: this is multiRow.',
    arrayBind: 'There is no form with an array for each column; N documents in one saveChanges are multiRow.',
    serverLoop: 'There are no stored procedures.',
    bulk: 'Bulk inserts store documents; they neither read, change nor delete.',
    multiRow: 'Only calls with several rows or keys have this method.',
    'update.bulk': 'A patch by query runs one script for all documents; different values need multiRow.',
    'delete.bulk': 'Deleting by query is a background operation, for whose end the client has to poll.',
    'keyCreation.afterLoad': 'Documents are stored under their ids from the beginning.',
    'foreignKeys.true': 'RavenDB checks no references between documents.',
    fetchSize: 'The result of a query is one response with all documents; only a scan is read page by page.',
    'bulkFormat.binary': 'A bulk insert is JSON text.',
    partitions:
      'A database can be spread over the nodes of a cluster (6.0 and later), but a collection not within one server.',
    sortMemoryKb: 'Sorted documents are read from an index, so there is no memory of sorts to set.',
    'cache.cold':
      'RavenDB maps its files into memory: its cache is the system’s, which neither a command nor a restart of the server empties.',
    fillFactor: 'Voron, the storage of RavenDB, has no fill factor.',
    'index.hash': 'Indexes are Lucene’s: terms in their order.',
    'index.brin': 'Indexes are Lucene’s: terms in their order.',
    'index.gin': 'Indexes are Lucene’s: terms in their order.',
    'index.gist': 'Indexes are Lucene’s: terms in their order.',
    'index.columnstore': 'Indexes are Lucene’s: terms in their order.',
    'index.bitmap': 'Indexes are Lucene’s: terms in their order.',
    'index.wildcard':
      'An index of all fields is written in C# or JavaScript, and Dyno sends no code of a file to the server.',
    'index.2dsphere': 'Spatial fields are written in C# or JavaScript, and Dyno sends no code of a file to the server.',
    'index.order': 'The terms of an index are read in either direction, so that it has no order to declare.',
    'index.where': 'A condition is written in C# or JavaScript, and Dyno sends no code of a file to the server.',
    'index.expression': 'An expression is written in C# or JavaScript, and Dyno sends no code of a file to the server.',
    'index.invisible': 'A disabled index of RavenDB is not kept up to date.',
    'index.documents.text':
      'With documents: text a document of the dataset is one string for RavenDB, without fields (documents: native).',
    'index.unique': 'Indexes are updated after the documents, and refuse none.',
  },
  indexes: {
    btree: {
      implementation: 'a static map index over the fields',
      takes: {
        include: 'fields of the index that are stored and not searched (Storage: Yes)',
        path: 'a field of the index named with _ between the names: address_city',
      },
    },
    fulltext: {
      implementation: 'a static map index with the field analysed (Search)',
      takes: { path: 'a field of the index named with _ between the names: address_city' },
    },
    mapReduce: {
      implementation: 'a static map-reduce index: the number of rows (rows_) for each value of the fields',
      takes: {
        include: 'sums of the columns',
        path: 'a field of the index named with _ between the names: address_city',
      },
    },
  },
  oneCallPerCommit:
    'A transaction of RavenDB is one saveChanges, and cannot span several calls. Use rowsPerCall with multiRow for more rows in a transaction.',
  changesAtCommit: true,
  // Queries, streams and bulk inserts end with their connection, but the documents of a saveChanges that was sent are
  // stored.
  uuids: {
    implementation: '36 characters, of keys in the document’s id, compared from the first to the last',
    order: 'bytes',
  },
  cancel: 'betweenCalls',
  maxConnections: null,
  mostDecimalDigits: 15,
  options,
  config: fields,
  builtIn: [
    {
      target: 'local-ravendb',
      hue: 4,
      label: 'RavenDB 7.2 (on this machine)',
      about:
        'RavenDB 7.2 with its default settings, a certificate of its own and no licence (3 cores, 6 GiB); Dyno starts and stops it.',
      onlyVersion:
        'The registries have older releases of RavenDB without the .NET 8 that they need: on .NET 10 they start, and create no database.',
    },
  ],
};

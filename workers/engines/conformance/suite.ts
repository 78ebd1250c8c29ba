import { beforeEach, expect } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { ErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import { unmetNeeds } from '#rules/cells/cell-support.ts';
import type { CatalogEntry } from '../catalog.ts';
import { batches, expectedChecksum, type Row, table as rowsTable } from './rows.ts';
import { singleRowMethod } from './smallest-profile.ts';
import { withServer } from './start-server.ts';
import type { TestServer } from './test-server.ts';

export const signal: AbortSignal = new AbortController().signal;
export const tag = `dyno-conformance-${process.pid}`;
/** Every table of the conformance suite has a name that begins with this prefix. */
export const prefix = `dyno_t${process.pid}_`;

/** No table of a process has the name of an earlier one: RavenDB answers by what it remembers of deleted documents. */
let counter = 0;

/** An engine that is tested. */
export interface TestedEngine extends CatalogEntry {
  load(): Promise<Engine>;
}

/** The parts that the checks share: one engine under certain options, on one server. */
export interface Suite extends CatalogEntry {
  /** Every option of the engine, with the value that this suite gives it. */
  readonly options: Options;
  /** The options whose values differ from the defaults. */
  readonly alternative: Options;
  /** False for the engine that stores nothing. */
  readonly keepsRows: boolean;
  /** The methods of custom statements under these options: a driver of the engine may have none. */
  readonly statementMethods: readonly MethodName[];
  /** These members exist once the server has started. */
  readonly server: TestServer;
  readonly engine: Engine;
  readonly database: Database;
  /** The session that `prepare` uses; withSession and withTable open and close it. */
  session: Session;
  /** True if the engine has the operation by this method. */
  has(operation: TableOperation, method: MethodName): boolean;
  /** The method that sends one row by the usual call. */
  single(operation: TableOperation): MethodName;
  /** Methods of the operation: the engine's, without those that the started server lacks. */
  methodsOf(operation: TableOperation): readonly MethodName[];
  /** Rows per call: seven, or as many as one call can take. */
  batchSize(operation: TableOperation, method: MethodName): number;
  /** A name that no other table of the process has. */
  newName(): string;
  /** The table of rows.ts under this suite's options. */
  planTable(name: string): TablePlan;
  /** Creates the table, and drops it when `use` has ended. */
  withSchema(table: TablePlan, use: () => Promise<void>): Promise<void>;
  /** Opens the suite's session, and closes it when `use` has ended. */
  withSession(use: () => Promise<void>): Promise<void>;
  /** A new table that holds these rows, and a session. */
  withTable(use: (table: TablePlan) => Promise<void>, rows?: readonly Row[]): Promise<void>;
  /** Reopens the suite's session where the cell needs other options than the suite has. */
  prepare(
    table: TablePlan,
    operation: TableOperation,
    method: MethodName,
    settings?: Partial<Settings>,
  ): Promise<Operation>;
  expectContent(table: TablePlan, rows: readonly Row[]): Promise<void>;
  toError(thrown: unknown): ErrorData;
  /** The value that the work returns, or the error that it throws as the engine translates it. */
  outcomeOf<T>(work: () => T | Promise<T>): Promise<T | ErrorData>;
}

/**
 * Registers the hooks that open and close the database of the server that `start` gives, which others may use before
 * and after. Call it inside of `describe`.
 */
export function startSuite(
  { descriptor, config, load }: TestedEngine,
  start: () => Promise<TestServer>,
  alternative: Options,
): Suite {
  const options: Options = { ...optionsFor(descriptor, defaultSettings), ...alternative };
  const keepsRows = !descriptor.reference;
  let server: TestServer | undefined;
  let engine: Engine;
  let database: Database;

  withServer(start, async (started, opened) => {
    server = started;
    engine = await load();
    database = opened.use(await engine.open(config.parse(server.raw), tag, signal));
    opened.defer(async () => void (await database.dropLeftovers(prefix)));
  });
  beforeEach(({ task, skip }) => {
    const excuse = Object.entries(server?.excused ?? {}).find(([name]) => task.name.startsWith(name));
    if (excuse) skip(excuse[1]);
    const lacking = server?.lacks?.find((method) => new RegExp(`by ${method}\\b`).test(task.name));
    if (lacking) skip(`This server has no ${lacking}.`);
  });

  const suite: Suite = {
    descriptor,
    config,
    options,
    alternative,
    keepsRows,
    statementMethods: statementMethodsOf(descriptor, options),
    get server() {
      return server!;
    },
    get engine() {
      return engine;
    },
    get database() {
      return database;
    },
    session: undefined!,
    has: (operation, method) => descriptor.support[operation]?.[method] !== undefined,
    single: (operation) => singleRowMethod(descriptor, operation)!,
    methodsOf: (operation) =>
      (Object.keys(descriptor.support[operation] ?? {}) as MethodName[]).filter(
        (method) => !server?.lacks?.includes(method),
      ),
    batchSize: (operation, method) => Math.min(7, descriptor.support[operation]![method]!.maxRowsPerCall),
    newName: () => `${prefix}${counter++}`,
    planTable: (name) => ({ ...rowsTable(name), options }),
    async withSchema(table, use) {
      await suite.database.prepareSchema(table);
      try {
        await use();
      } finally {
        await suite.database.drop(table);
      }
    },
    async withSession(use) {
      suite.session = await suite.database.openSession(options);
      try {
        await use();
      } finally {
        await suite.session[Symbol.asyncDispose]();
      }
    },
    async withTable(use, rows = []) {
      const table = suite.planTable(suite.newName());
      await suite.withSchema(table, async () => {
        if (rows.length > 0) await suite.database.load(table, batches(rows, 20), () => {}, signal);
        await suite.withSession(() => use(table));
      });
    },
    async prepare(table, operation, method, settings = {}) {
      const needs = descriptor.support[operation]?.[method]?.needs ?? {};
      if (Object.entries(needs).some(([name, value]) => options[name] !== value)) {
        await suite.session[Symbol.asyncDispose]();
        suite.session = await suite.database.openSession({ ...options, ...needs });
      }
      const plan = { ...table, options: { ...options, ...needs } };
      return suite.session.prepare({
        table: plan,
        operation,
        method,
        settings: { ...defaultSettings, operation, method, ...settings },
      });
    },
    async expectContent(table, rows) {
      const found = await suite.database.checksum(table);
      if (!keepsRows) return expect(found).toBeNull();
      expect(found).toEqual(expectedChecksum(rows, descriptor.emptyIsNull));
    },
    toError: (thrown) => engine.toError(thrown),
    outcomeOf: (work) => Promise.resolve().then(work).catch(suite.toError),
  };
  return suite;
}

const statementMethodsOf = (descriptor: EngineDescriptor, options: Options): readonly MethodName[] =>
  (Object.keys(descriptor.support.statement ?? {}) as MethodName[]).filter(
    (method) => unmetNeeds(descriptor, descriptor.support.statement![method]!, options).length === 0,
  );

/** Encodes the rows of one call, and sends it; returns the rows touched. */
export const call = async (operation: Operation, batch: Batch): Promise<number> =>
  operation.run(operation.encode(batch));

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Options } from '#model/settings/options.ts';
import { whole } from '#platform/whole.fixture.ts';
import { findEngine } from '../catalog.ts';
import { loadEngine } from '../load.ts';
import { testCancel } from './checks/cancel.ts';
import { testCapturedValues } from './checks/captured-values.ts';
import { testChanges } from './checks/changes.ts';
import { testCustomStatements } from './checks/custom-statements.ts';
import { testForeignKeys } from './checks/foreign-keys.ts';
import { testInjection } from './checks/injection.ts';
import { testInsert } from './checks/insert.ts';
import { testIsolation } from './checks/isolation.ts';
import { testKeyAndIndexes } from './checks/key-and-indexes.ts';
import { testParameterValues } from './checks/parameter-values.ts';
import { testProbes } from './checks/probes.ts';
import { testQueryPlans } from './checks/query-plans.ts';
import { testReadOnlySessions } from './checks/read-only-sessions.ts';
import { testReads } from './checks/reads.ts';
import { testSessionSettings } from './checks/session-settings.ts';
import { testTables } from './checks/tables.ts';
import { testTransactions } from './checks/transactions.ts';
import { isSkipped } from './skipped.ts';
import { singleRowMethod, smallestProfile } from './smallest-profile.ts';
import { type Suite, startSuite, type TestedEngine } from './suite.ts';
import type { StartTestServer, TestServer } from './test-server.ts';

/** An engine without custom statements has none of these checks: a `describe` must have a test. */
const ofStatements = (check: (suite: Suite) => void) => (suite: Suite) => {
  if (suite.descriptor.statements) describe('custom statements', () => check(suite));
};

/** The parts of the suite by name, in the order in which they run. */
const checks = {
  insert: testInsert,
  reads: testReads,
  changes: testChanges,
  tables: testTables,
  transactions: testTransactions,
  isolation: testIsolation,
  cancel: testCancel,
  keyAndIndexes: testKeyAndIndexes,
  foreignKeys: testForeignKeys,
  customStatements: ofStatements(testCustomStatements),
  injection: ofStatements(testInjection),
  capturedValues: ofStatements(testCapturedValues),
  parameterValues: ofStatements(testParameterValues),
  readOnlySessions: testReadOnlySessions,
  sessionSettings: testSessionSettings,
  queryPlans: testQueryPlans,
  probes: testProbes,
  cells: testCells,
} satisfies Record<string, (suite: Suite) => void>;

type CheckName = keyof typeof checks;
const everyCheck = Object.keys(checks) as CheckName[];

/**
 * The checks that `npm test` makes under alternatives and on an engine's other servers: every call goes one of these
 * ways. `npm run test:long -- servers` makes all of them.
 */
const sampledChecks: readonly CheckName[] = ['insert', 'reads', 'transactions', 'cancel'];
const unsampled: readonly CheckName[] = whole ? [] : everyCheck.filter((name) => !sampledChecks.includes(name));

/** Options other than the defaults, under which the engine has to pass the same checks. */
export interface Alternative {
  readonly options: Options;
  /** The checks that these options cannot affect; only the suite of the default options has them. */
  readonly unchanged: readonly CheckName[];
}

const defaults: Alternative = { options: {}, unchanged: [] };

const sampled = ({ options, unchanged }: Alternative): Alternative => ({
  options,
  unchanged: [...unchanged, ...unsampled],
});
const hasChecks = ({ unchanged }: Alternative): boolean => everyCheck.some((name) => !unchanged.includes(name));

/** The exports of an engine's `test-server.fixture.ts`. */
interface Fixture {
  readonly startTestServer: StartTestServer;
  readonly alternatives?: readonly Alternative[];
  /** Other products that the engine connects to, by name. */
  readonly otherServers?: Readonly<Record<string, StartTestServer>>;
}

/**
 * Tests the promises of the Engine interface: all of them under the engine's default options and on its other servers,
 * and under each alternative those that its options change. Suites of the same server share it, one after the other.
 * `conformance.test.ts` of every engine calls it.
 */
export const testConformance = (id: string, fixture: Fixture): void => testEngine(ofCatalog(id), fixture);

/** Tests the promises of an engine that is not in the catalog. */
export function testEngine(
  tested: TestedEngine,
  { startTestServer, alternatives = [], otherServers = {} }: Fixture,
): void {
  const { id } = tested.descriptor;
  testServers(tested, [
    { name: id, start: startTestServer, suites: [defaults, ...alternatives.map(sampled).filter(hasChecks)] },
    ...Object.entries(otherServers).map(([name, start]) => ({
      name: `${id} on ${name}`,
      start,
      suites: [sampled(defaults)],
    })),
  ]);
}

/** These checks of {@link testConformance} alone, under the default options. `name`: the server's name in the list. */
export const testConformanceOf = (
  id: string,
  start: StartTestServer,
  names: readonly CheckName[] | 'all',
  name: string = id,
): void =>
  testServers(ofCatalog(id), [
    {
      ...{ name, start },
      suites: [{ options: {}, unchanged: everyCheck.filter((one) => names !== 'all' && !names.includes(one)) }],
    },
  ]);

const ofCatalog = (id: string): TestedEngine => ({ ...findEngine(id)!, load: () => loadEngine(id) });

interface ServerSuites {
  readonly name: string;
  readonly start: StartTestServer;
  readonly suites: readonly Alternative[];
}

function testServers(tested: TestedEngine, servers: readonly ServerSuites[]): void {
  describe.skipIf(isSkipped(tested.descriptor.id)).each(servers)('$name', ({ start, suites }) => {
    const startShared = startOnce(start);
    const titled = suites.map((one) => {
      const words = Object.entries(one.options).map(([name, value]) => `${name}: ${value}`);
      return { title: words.join(' ') || 'default options', ...one };
    });
    describe.each(titled)('$title', ({ options, unchanged }) => {
      const suite = startSuite(tested, startShared, options);
      for (const name of everyCheck) if (!unchanged.includes(name)) checks[name](suite);
    });
  });
}

/** Starts the server at its first use, in a folder of its own, and stops it at the end of the `describe`. */
function startOnce(start: StartTestServer): () => Promise<TestServer> {
  let folder: string | undefined;
  let server: Promise<TestServer> | undefined;
  afterAll(async () => {
    // The suite has already reported a server that did not start.
    await (await server?.catch(() => null))?.[Symbol.asyncDispose]();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);
  return () => {
    folder ??= mkdtempSync(join(tmpdir(), 'dyno-conformance-'));
    server ??= start(folder);
    return server;
  };
}

function testCells(suite: Suite): void {
  const { descriptor, toError } = suite;
  test('the engine has the operations of the smallest profile', () => {
    expect(smallestProfile.filter((operation) => singleRowMethod(descriptor, operation) === undefined)).toEqual([]);
  });

  test('every cell says what it really is', () => {
    for (const cells of Object.values(descriptor.support)) {
      for (const cell of Object.values(cells)) {
        expect(cell.implementation.length).toBeGreaterThan(8);
        expect(cell.maxRowsPerCall).toBeGreaterThanOrEqual(1);
      }
    }
  });

  test('parameters of servers are read, and changed while a server runs, exactly where the descriptor says so', async () => {
    const { database } = suite;
    const { running, names } = descriptor.serverParameters ?? {};
    expect(database.serverParameters !== undefined).toBe(descriptor.serverParameters !== undefined);
    expect(database.runningServer !== undefined).toBe(running !== undefined);
    if (!database.runningServer || !running) return;
    expect(names).toEqual(expect.arrayContaining([...running.names]));
    const asked = running.names.slice(0, 5);
    const found = await database.runningServer.states(asked).catch((thrown: unknown) => toError(thrown));
    if ('kind' in found && 'hint' in found) {
      // An emulator may lack the view.
      expect(found.kind).not.toBe('internal');
      return;
    }
    for (const name of asked) expect(found).toHaveProperty(name);
    // A change from an entry that no server has changes nothing.
    const [name = ''] = asked;
    const untouched = { [name]: { from: ['0.987654'], to: '0.876543' } };
    expect(await database.runningServer.change(untouched)).toEqual([name]);
  });

  test('statistics of tables are read exactly where the descriptor says so', async () => {
    expect(suite.database.tableFacts !== undefined).toBe(descriptor.tableStatistics !== undefined);
    expect(suite.database.tableQueries !== undefined).toBe(descriptor.tableStatistics !== undefined);
    if (descriptor.tableStatistics === undefined) expect(descriptor.unsupportedReasons.tableStatistics).toMatch(/\w/);
    // Tables of Dyno's runs are not the user's.
    const found = await (suite.database.tableFacts?.([]) ?? Promise.resolve([])).catch((thrown: unknown) =>
      toError(thrown),
    );
    if ('kind' in found) {
      // An emulator may lack the views.
      expect(found.kind).toBe('unsupported');
      expect(found.hint).toMatch(/\w/);
      return;
    }
    expect(found.filter(({ name }) => name.startsWith('dyno_'))).toEqual([]);
  });

  test('counted statements are read exactly where the descriptor says so, or a hint says what is missing', async () => {
    expect(suite.database.keptStatements !== undefined).toBe(descriptor.keptStatements !== undefined);
    if (!suite.database.keptStatements) return;
    const found = await suite.database.keptStatements().catch((thrown: unknown) => toError(thrown));
    if ('kind' in found) {
      expect(['unsupported', 'permission']).toContain(found.kind);
      expect(found.hint).toMatch(/\w/);
      return;
    }
    for (const { text, calls, meanMs, rowsPerCall } of found.statements) {
      expect(text).toMatch(/^(select|insert|update|delete|merge|with|replace)\b|^\{/i);
      expect(calls).toBeGreaterThan(0);
      for (const figure of [meanMs, rowsPerCall]) expect(figure).toBeGreaterThanOrEqual(0);
    }
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Options } from '#model/settings/options.ts';
import { findEngine } from '../catalog.ts';
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
import { testTables } from './checks/tables.ts';
import { testTransactions } from './checks/transactions.ts';
import { isSkipped } from './skipped.ts';
import { type Suite, startSuite } from './suite.ts';
import type { StartTestServer, TestServer } from './test-server.ts';

/** The exports of an engine's `test-server.fixture.ts`. */
interface Fixture {
  readonly startTestServer: StartTestServer;
  /** Options that have to keep the same promises as the defaults. */
  readonly alternatives?: readonly Options[];
  /** Other products that the engine connects to, by name. */
  readonly otherServers?: Readonly<Record<string, StartTestServer>>;
}

/**
 * Tests every promise of the Engine interface: under the engine's default options, under each of its alternatives, and
 * on its other servers. Suites of the same server share it, one after the other. To be called by `conformance.test.ts`
 * of every engine.
 */
export function testConformance(id: string, { startTestServer, alternatives = [], otherServers = {} }: Fixture): void {
  const entry = findEngine(id)!;
  const servers = [
    { name: id, start: startTestServer, each: [{}, ...alternatives] },
    ...Object.entries(otherServers).map(([name, start]) => ({ name: `${id} on ${name}`, start, each: [{}] })),
  ];
  describe.skipIf(isSkipped(id)).each(servers)('$name', ({ start, each }) => {
    const startShared = startOnce(start);
    const suites = each.map((alternative: Options) => {
      const words = Object.entries(alternative).map(([name, value]) => `${name}: ${value}`);
      return { title: words.join(' ') || 'default options', alternative };
    });
    describe.each(suites)('$title', ({ alternative }) => {
      const suite = startSuite(entry, startShared, alternative);
      for (const check of checks) check(suite);
    });
  });
}

/** Starts the server when it is first asked for, in a folder of its own; it ends with the `describe` around it. */
function startOnce(start: StartTestServer): () => Promise<TestServer> {
  let folder: string | undefined;
  let server: Promise<TestServer> | undefined;
  afterAll(async () => {
    // One that could not be started has told so in its suite.
    await (await server?.catch(() => null))?.[Symbol.asyncDispose]();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);
  return () => {
    folder ??= mkdtempSync(join(tmpdir(), 'dyno-conformance-'));
    server ??= start(folder);
    return server;
  };
}

const checks: readonly ((suite: Suite) => void)[] = [
  testInsert,
  testReads,
  testChanges,
  testTables,
  testTransactions,
  testIsolation,
  testCancel,
  testKeyAndIndexes,
  testForeignKeys,
  (suite) =>
    describe('custom statements', () => {
      testCustomStatements(suite);
      testInjection(suite);
      testCapturedValues(suite);
      testParameterValues(suite);
      testReadOnlySessions(suite);
    }),
  testQueryPlans,
  testProbes,
  testCells,
];

function testCells({ descriptor }: Suite): void {
  test('every cell says what it really is', () => {
    for (const cells of Object.values(descriptor.support)) {
      for (const cell of Object.values(cells)) {
        expect(cell.implementation.length).toBeGreaterThan(8);
        expect(cell.maxRowsPerCall).toBeGreaterThanOrEqual(1);
      }
    }
  });
}

import { describe, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { testEscapes } from './escapes.fixture.ts';
import { testFetchSizes } from './fetch-sizes.fixture.ts';
import { testLeftTables } from './left-tables.fixture.ts';
import { testMixes } from './mixes.fixture.ts';
import type { OnServer } from './server.fixture.ts';
import { testTables } from './tables.fixture.ts';

const sampled = [testMixes, testLeftTables, testEscapes];
const others = [testTables, testFetchSizes];

/**
 * Tests whole runs on a server of an engine: its built-in one, or one to which `connect` saves a connection. A file for
 * each engine calls it, so that files of several engines run at the same time.
 */
export function testOnServer(engine: string, target: string, connect = keeping(target)): void {
  // Real servers, on machines that may be busy.
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });
  describe.skipIf(isSkipped(engine) || isSkipped(target))(`on ${target}`, () => {
    const test = sharedHome(connect);
    const server: OnServer = {
      engine,
      target,
      get home() {
        return test.home;
      },
    };
    for (const check of sampled) check(server);
    // The other engines go the same ways to their servers; `npm run test:long -- servers` tries them.
    if (whole || engine === 'postgres' || engine === 'sqlite') for (const check of others) check(server);
  });
}

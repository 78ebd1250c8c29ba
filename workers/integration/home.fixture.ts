import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds } from '#managed-servers/servers/kinds.ts';
import { resetServer, stopServer } from '#managed-servers/supervisor-client.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';

/** A separate home for a test. Disposal stops its processes and deletes it. */
export interface TestHome extends AsyncDisposable {
  readonly home: Home;
}

export function testHome(): TestHome {
  const home = homeOf({ DYNO_HOME: mkdtempSync(join(tmpdir(), 'dyno-test-')) });
  ensureHome(home);
  copyPrepared(home);
  return {
    home,
    async [Symbol.asyncDispose]() {
      await clearServers(home);
      rmSync(home.root, { recursive: true, force: true });
    },
  };
}

/** Copies the files that take long to make from the home that `npm test` prepares once, if there is one. */
export function copyPrepared(home: Home): void {
  const from = process.env.DYNO_TEST_HOME; // electron/setup/test-steps.mjs
  if (from === undefined) return;
  const prepared = homeOf({ DYNO_HOME: from });
  copyFileSync(prepared.calibration, home.calibration);
  copyFileSync(prepared.libraryParts, home.libraryParts);
}

/** A short experiment; parts can be replaced. */
export const experimentYaml = (
  parts: Partial<
    Record<
      'rows' | 'columns' | 'workload' | 'setup' | 'statements' | 'scenarios' | 'factors' | 'targets' | 'measure',
      string
    >
  > = {},
): string => `
dyno: 1
name: A test
question: Does it run?
dataset:
  rows: ${parts.rows ?? '1000'}
  key: id
  columns: ${parts.columns ?? '{ id: { type: uuid4 }, payload: { type: text, length: 20 } }'}
workload: ${parts.workload ?? '{ operation: insert, callsPerCommit: 100 }'}
${parts.setup ? `setup: ${parts.setup}` : ''}
${parts.statements ? `statements: ${parts.statements}` : ''}
${parts.scenarios ? `scenarios: ${parts.scenarios}` : ''}
${parts.factors ? `factors: ${parts.factors}` : ''}
targets: ${parts.targets ?? '[noop]'}
measure: ${parts.measure ?? '{ repeats: 2 }'}
`;

/** Stops every server of this home, and deletes its data, before the home is deleted. */
export async function clearServers(home: Home): Promise<void> {
  await Promise.all(
    kinds.map(async (kind) => {
      await stopServer(home, kind);
      await resetServer(home, kind);
    }),
  );
}

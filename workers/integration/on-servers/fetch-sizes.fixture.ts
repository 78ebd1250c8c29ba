import { expect, it } from 'vitest';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { experimentYaml } from '../home.fixture.ts';
import type { OnServer } from './server.fixture.ts';

const rows = 61;
/** The last size fetches all rows at once. */
const fetchSizes = [1, 20, rows];

type RoundTrips = (fetchSize: number) => number;

/** A server that does not mark its last portion needs one more request if the rows fill it exactly. */
const untilShort: RoundTrips = (fetchSize) => Math.floor(rows / fetchSize) + 1;

/** A scan on an engine whose fetch size is a number of rows, or of bytes. */
interface Scan {
  readonly workload: string;
  /** Fewest and most expected round trips. */
  readonly roundTrips: (fetchSize: number) => readonly [least: number, most: number];
}

const scan = (workload: string, exactly: RoundTrips): Scan => ({
  workload: `{ operation: scan, thinkMs: 20, ${workload} }`,
  roundTrips: (fetchSize) => [exactly(fetchSize), exactly(fetchSize)],
});

const scans: Readonly<Record<string, Scan>> = {
  // One more round trip closes the portal.
  postgres: scan('method: bind', (fetchSize) => untilShort(fetchSize) + 1),
  mongodb: scan('method: bind', untilShort),
  // The driver requests the first portion with the statement, and the last portion is marked. The protocol emulator
  // answers here.
  oracle: scan('method: bind', (fetchSize) => Math.ceil(rows / fetchSize)),
  ravendb: scan('method: bind, options: { ravendb.scan: pages }', untilShort),
  // A block has a fixed number of bytes, which holds this number of the widest rows, and more narrow ones.
  drda: {
    workload: '{ operation: scan, thinkMs: 20, method: prepared }',
    roundTrips: (fetchSize) => [2, Math.ceil(rows / fetchSize) + 2],
  },
};

/** Tests that a scan takes one round trip per portion. */
export function testFetchSizes(server: OnServer): void {
  const one = scans[server.engine];
  if (one === undefined) return;
  const { workload, roundTrips } = one;
  it('a scan takes as many round trips as it has pieces, counted at the sockets', async () => {
    const run = await newTrustedRun({
      home: server.home,
      yaml: experimentYaml({
        rows: String(rows),
        workload,
        factors: `{ fetchSize: [${fetchSizes.join(', ')}] }`,
        targets: `[${server.target}]`,
        // On a busy machine, a call of 62 round trips takes a second.
        measure: '{ until: { seconds: 2 }, repeats: 1, warmupSeconds: 0.1 }',
      }),
    });
    const { results } = collect(run);
    await run.start();
    const counted = results()
      .map(({ variant, totals, health: { callTime } }) => ({
        variant,
        rowsPerCall: totals.rows / totals.calls,
        // The value is estimated from a sample of the calls, which are all alike.
        roundTrips: Math.round((callTime!.roundTrips / callTime!.calls) * 1e6) / 1e6,
      }))
      .toSorted((a, b) => b.roundTrips - a.roundTrips);
    expect(counted.map(({ variant, rowsPerCall }) => [variant, rowsPerCall])).toEqual(
      fetchSizes.map((fetchSize) => [`fetchSize=${fetchSize}`, rows]),
    );
    for (const [i, fetchSize] of fetchSizes.entries()) {
      const [least, most] = roundTrips(fetchSize);
      expect(counted[i]!.roundTrips, `fetchSize ${fetchSize}`).toBeGreaterThanOrEqual(least);
      expect(counted[i]!.roundTrips, `fetchSize ${fetchSize}`).toBeLessThanOrEqual(most);
    }
  });
}

import { testHome } from '#integration/home.fixture.ts';
import { newRun } from '../run/run.fixture.ts';

/**
 * How long the load phase takes by the number of processes that share it, with processes that leave when it is over.
 * Client processes and server share this machine's processors.
 */
const rowCounts = [250_000, 1_000_000];
const repeats = 3;

await using home = testHome();
console.log(['target', 'rows', 'processes', 'load, s (each repeat)', 'table, MB', 'indexes, MB'].join('\t'));
for (const target of ['embedded-postgres', 'local-mariadb'])
  for (const rows of rowCounts)
    for (const processes of [1, 2, 4]) {
      const { run, results } = await newRun(home, {
        rows: String(rows),
        targets: `[${target}]`,
        workload: JSON.stringify({ operation: 'update', connections: 4, processes }),
        measure: `{ until: { rows: 1000 }, warmupRows: 100, repeats: ${repeats} }`,
      });
      await run.start();
      const failed = results().find(({ status }) => status !== 'ok');
      if (failed) throw new Error(failed.error?.message ?? failed.status);
      const seconds = results().map(({ phaseMs }) => ((phaseMs.load ?? 0) / 1_000).toFixed(2));
      const stored = results().at(-1)?.storedBytes;
      const mb = (bytes = 0) => (bytes / 1e6).toFixed(1);
      console.log(
        [target, rows, processes, seconds.join(' '), mb(stored?.tableBytes), mb(stored?.indexBytes)].join('\t'),
      );
    }

import { shareInterval } from '#stats/intervals/share-interval.ts';

/** For benchmarks only: "2.0 % (1.1–3.5)", the share of simulated runs with the event, with its 95 % interval. */
export function rate(runs: number, happens: (run: number) => boolean): string {
  let count = 0;
  for (let run = 0; run < runs; run++) if (happens(run)) count++;
  return shareOf(count, runs);
}

/** For benchmarks only: "2.0 % (1.1–3.5)", the share that `count` is of `of`, with its 95 % interval. */
export function shareOf(count: number, of: number): string {
  const { low, high } = shareInterval(count / of, of);
  const percent = (value: number) => (100 * value).toFixed(1);
  return `${percent(count / of)} % (${percent(low)}–${percent(high)})`;
}

/** For benchmarks only: prints a row of a table in Markdown. */
export const row = (...cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);

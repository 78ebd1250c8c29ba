import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#cli/docs/rooms.ts';
import { markdownTable } from '#cli/file-format/markdown.ts';
import type { Measured } from '#engines/shared/bench-report.fixture.ts';
import { environmentOf } from '#orchestrator/run/environment.ts';
import { median } from '#stats/intervals/summary.ts';
import { mergeTables } from './merge-tables.fixture.ts';

// `npm run bench -- NAME --markdown` calls this with the file of the benchmarks' figures: the tables of
// docs/performance.md between `<!-- measured NAME -->` and `<!-- end of NAME -->` receive the newly measured rows, and
// keep the others.

type Of<T extends Measured['table']> = Extract<Measured, { readonly table: T }>;

const all = readFileSync(process.argv[2]!, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Measured);
const of = <T extends Measured['table']>(table: T) => all.filter((one): one is Of<T> => one.table === table);

/** Items grouped by their keys, in the order of the first item of each. */
function grouped<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** The median, and with several values also the minimum and maximum. */
function spread(values: readonly (number | null)[], show: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const middle = show(median(known));
  if (known.length === 1) return middle;
  return `${middle} (${show(Math.min(...known))} to ${show(Math.max(...known))})`;
}

const thousands = (value: number) => `${(value / 1_000).toFixed(1)} k`;
const us = (value: number) => value.toFixed(1);
const twoDigits = (value: number) => value.toFixed(2);
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

function machine(): string {
  const { cores, cpu, memoryBytes, os, drivers } = environmentOf();
  const day = new Date().toISOString().slice(0, 10);
  const versions = Object.entries(drivers).map(([name, version]) => `${name} ${version}`);
  return [
    `${day}; ${cores} × ${cpu}, ${Math.round(memoryBytes / 1024 ** 3)} GiB, ${os}; Node ${process.versions.node};`,
    `${versions.join(', ')}.`,
  ].join(' ');
}

const calls = (): string =>
  markdownTable(
    [
      'calls',
      'server',
      'peer',
      'Dyno',
      'peer’s',
      'throughput ÷ peer’s',
      'µs of processor',
      'peer’s',
      'processor ÷ peer’s',
    ],
    [...grouped(of('calls'), ({ row, peer }) => `${row} ${peer}`).values()].map((runs) => [
      runs[0]!.row,
      runs[0]!.server,
      runs[0]!.peer,
      thousands(median(runs.map(({ perSecond }) => perSecond))),
      thousands(median(runs.map(({ peerPerSecond }) => peerPerSecond))),
      spread(
        runs.map(({ ratio }) => ratio),
        twoDigits,
      ),
      us(median(runs.flatMap(({ cpuUs }) => cpuUs ?? []))),
      us(median(runs.flatMap(({ peerCpuUs }) => peerCpuUs ?? []))),
      spread(
        runs.map(({ cpuRatio }) => cpuRatio),
        twoDigits,
      ),
    ]),
  );

const profile = (): string =>
  [...grouped(of('profile'), ({ row }) => row)]
    .map(([title, runs]) => {
      const columns = [...grouped(runs, ({ column }) => column)];
      const parts = Object.keys(runs[0]!.partsUs);
      const cell = (same: readonly Of<'profile'>[], pick: (one: Of<'profile'>) => number) =>
        spread(same.map(pick), twoDigits);
      const whole = ({ partsUs }: Of<'profile'>) => Object.values(partsUs).reduce((sum, part) => sum + part, 0);
      return markdownTable(
        [title, ...columns.map(([name]) => name)],
        [
          ...parts.map((part) => [part, ...columns.map(([, same]) => cell(same, ({ partsUs }) => partsUs[part]!))]),
          ['together', ...columns.map(([, same]) => cell(same, whole))],
        ],
      );
    })
    .join('\n\n');

function price(): string {
  const columns = [...new Set(of('price').map(({ column }) => column))];
  return markdownTable(
    ['measured', ...columns],
    [...grouped(of('price'), ({ row }) => row)].map(([row, runs]) => [
      row,
      ...columns.map((name) => {
        const same = runs.filter(({ column }) => column === name);
        const middle = (of: (run: Of<'price'>) => number | null) =>
          percent(median(same.flatMap((run) => of(run) ?? [])));
        return same.length === 0
          ? ''
          : `${middle(({ more }) => more)} (${middle(({ low }) => low)} to ${middle(({ high }) => high)})`;
      }),
    ]),
  );
}

const inserts = (): string =>
  [...grouped(of('inserts'), ({ of: what }) => what)]
    .map(([what, runs]) =>
      markdownTable(
        [what, 'rows a second', '÷ the first'],
        [...grouped(runs, ({ row }) => row)].map(([row, same]) => [
          row,
          spread(
            same.map(({ perSecond }) => perSecond),
            thousands,
          ),
          spread(
            same.map(({ ratio }) => ratio),
            twoDigits,
          ),
        ]),
      ),
    )
    .join('\n\n');

const whole = (value: number) => value.toFixed(0);

const window = (): string =>
  markdownTable(
    ['what', 'ms', 'ms of processor', 'aim, ms'],
    [...grouped(of('window'), ({ row }) => row)].map(([row, same]) => [
      row,
      spread(
        same.map(({ ms }) => ms),
        whole,
      ),
      spread(
        same.map(({ cpuMs }) => cpuMs),
        whole,
      ),
      same[0]!.aimMs === null ? '' : whole(same[0]!.aimMs),
    ]),
  );

const trials = (): string =>
  markdownTable(
    ['one after the other', 'a minute', '÷ the first'],
    [...grouped(of('trials'), ({ row }) => row)].map(([row, same]) => [
      row,
      spread(
        same.map(({ perMinute }) => perMinute),
        whole,
      ),
      spread(
        same.map(({ ratio }) => ratio),
        twoDigits,
      ),
    ]),
  );

const peers = (): string =>
  markdownTable(
    ['program', 'what brings it', 'when measured'],
    [...grouped(of('peers'), ({ row }) => row)].map(([row, same]) => [
      row,
      same[0]!.source,
      same.at(-1)!.isHere ? 'there' : 'not there: nothing stands beside it',
    ]),
  );

const tables: Readonly<Partial<Record<string, () => string>>> = {
  calls,
  profile,
  price,
  inserts,
  window,
  trials,
  peers,
};

const file = join(root, 'docs/performance.md');
const text = readFileSync(file, 'utf8');
const renewed = text.replaceAll(
  /<!-- measured (\w+) -->\n([\s\S]*?)<!-- end of \1 -->/g,
  (block, name: string, old: string) => {
    const table = tables[name];
    if (name !== 'machine' && !table)
      throw new Error(`There is no table “${name}”. There are: ${Object.keys(tables).join(', ')}.`);
    if (table && !all.some((one) => one.table === name)) return block;
    return `<!-- measured ${name} -->\n\n${table ? mergeTables(old, table()) : machine()}\n\n<!-- end of ${name} -->`;
  },
);
writeFileSync(file, renewed);
console.log(renewed === text ? 'docs/performance.md is as it was' : 'renewed docs/performance.md');

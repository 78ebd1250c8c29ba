import { expect, test } from 'vitest';
import { judged, mistakesOf, type SmallRun } from '../shared/small-run.fixture.ts';
import { fitsInMemory } from './fits-in-memory.ts';

const probeInfo = {
  read: { unit: 'count', label: 'Pages read', role: 'pagesRead' },
  hit: { unit: 'count', label: 'Pages hit', role: 'pagesHit' },
} as const;
const mib = 2 ** 20;

function run(
  pages: { readonly read: number; readonly hit: number } | null,
  sizes: { readonly data: number | null; readonly cache: number | null; readonly medium?: 'memory' },
  more: Partial<SmallRun> = {},
) {
  const storedBytes =
    sizes.data === null
      ? null
      : { tableBytes: sizes.data * 0.8, indexBytes: sizes.data * 0.2, ...(sizes.medium && { medium: sizes.medium }) };
  const samples =
    pages === null
      ? []
      : [{ counters: { read: 5, hit: 5 } }, { counters: { read: 5 + pages.read, hit: 5 + pages.hit } }];
  return judged(fitsInMemory, {
    cells: [
      { settings: { operation: 'readByKey' }, trials: [{ perSecond: [20_000], samples, more: { storedBytes } }] },
    ],
    probeInfo,
    fingerprint: sizes.cache === null ? {} : { cacheBytes: sizes.cache },
    ...more,
  });
}

test('no page read and a table smaller than the cache: certain, with a table beyond it to confirm', () => {
  const { facts, outcomes } = run({ read: 3, hit: 60_000 }, { data: 20 * mib, cache: 128 * mib });
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'certain', explains: 0 });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  const edit = outcomes[0]?.status === 'shown' && outcomes[0].confirm?.edits.find(({ path }) => path[1] === 'rows');
  // 100,000 rows are 20 MiB, so four times 128 MiB need 25.6 times as many.
  expect(edit).toMatchObject({ value: 2_560_000 });
});

test('one of the two alone: likely', () => {
  expect(run({ read: 3, hit: 60_000 }, { data: null, cache: null }).outcomes[0]).toMatchObject({
    confidence: 'likely',
  });
  expect(run(null, { data: 20 * mib, cache: 128 * mib }).outcomes[0]).toMatchObject({ confidence: 'likely' });
});

test('a sort that goes to temporary files has met the storage', () => {
  const scan = (temp: number): SmallRun['cells'] => [
    {
      settings: { operation: 'scan' },
      trials: [
        {
          perSecond: [20_000],
          counts: { calls: 4 },
          samples: [{ counters: { read: 5, hit: 5, temp: 5 } }, { counters: { read: 8, hit: 60_005, temp: 5 + temp } }],
        },
      ],
    },
  ];
  const infos = { ...probeInfo, temp: { unit: 'bytes', label: 'Temporary files', role: 'tempBytes' } } as const;
  const status = (temp: number) =>
    run(null, { data: null, cache: null }, { cells: scan(temp), probeInfo: infos }).outcomes[0]?.status;
  expect(status(0)).toBe('shown');
  expect(status(20 * mib)).toBe('notShown');
});

test('a cache that was just emptied: only by the pages that were counted', () => {
  const sizes = { data: 20 * mib, cache: 128 * mib };
  const cells = [
    {
      settings: { operation: 'readByKey', cache: 'cold' },
      trials: [
        { perSecond: [20_000], more: { storedBytes: { tableBytes: sizes.data * 0.8, indexBytes: sizes.data * 0.2 } } },
      ],
    },
  ] as const;
  expect(run(null, sizes, { cells }).outcomes[0]?.status).toBe('cannotTell');
  const samples = [{ counters: { read: 5, hit: 5 } }, { counters: { read: 8, hit: 60_005 } }];
  const counted = cells.map((cell) => ({ ...cell, trials: cell.trials.map((trial) => ({ ...trial, samples })) }));
  expect(run(null, sizes, { cells: counted }).outcomes[0]).toMatchObject({ confidence: 'certain' });
});

test('not where pages are read, the table is larger, or is in memory by design', () => {
  const status = (...args: Parameters<typeof run>) => run(...args).outcomes.map((one) => one.status);
  expect(status({ read: 700, hit: 59_300 }, { data: 20 * mib, cache: 128 * mib })).toEqual(['notShown']);
  expect(status({ read: 3, hit: 60_000 }, { data: 120 * mib, cache: 128 * mib })).toEqual(['notShown']);
  expect(status(null, { data: 20 * mib, cache: 128 * mib, medium: 'memory' })).toEqual(['notShown']);
  // 20,000 calls that touch no table: the counters show only Dyno's own probes.
  expect(status({ read: 3, hit: 9_000 }, { data: mib, cache: 128 * mib })).toEqual(['notShown']);
  const cells = [{ trials: [{ perSecond: [20_000] }] }];
  expect(status(null, { data: mib, cache: 128 * mib }, { cells })).toEqual(['notShown']);
});

test('statements that write, or whose pages are not counted, get no claim about memory', () => {
  const pages = (log: number) => [
    { counters: { read: 0, hit: 0, log: 0 } },
    { counters: { read: 3, hit: 60_000, log } },
  ];
  const first = (operation: 'statement' | 'update', log: number | null) =>
    run(
      null,
      { data: mib, cache: 128 * mib },
      {
        more: { statements: { look: { text: 'SELECT 1' } } },
        probeInfo: { ...probeInfo, log: { unit: 'bytes', label: 'Log', role: 'logBytes' } },
        cells: [
          {
            settings: { operation },
            trials: [
              {
                perSecond: [20_000],
                samples: log === null ? [] : pages(log),
                more: { storedBytes: { tableBytes: mib, indexBytes: 0 } },
              },
            ],
          },
        ],
      },
    ).outcomes[0]?.status;
  expect(first('statement', 0)).toBe('shown');
  expect(first('statement', 20_000 * 200)).toBe('notShown');
  expect(first('statement', null)).toBe('cannotTell');
  expect(first('update', 20_000 * 200)).toBe('notShown');
});

test('only the part of a working set that calls read has to fit', () => {
  const cells = (operation: 'readByKey' | 'scan', workingSet: number) => [
    {
      settings: { operation, workingSet },
      trials: [{ perSecond: [20_000], more: { storedBytes: { tableBytes: 300 * mib, indexBytes: 100 * mib } } }],
    },
  ];
  const sizes = { data: null, cache: 128 * mib };
  const part = run(null, sizes, { cells: cells('readByKey', 0.1) });
  expect(part.outcomes[0]).toMatchObject({ status: 'shown', claim: expect.stringContaining('the working set, 10.0') });
  expect(mistakesOf(part.facts, part.outcomes[0])).toEqual([]);
  expect(run(null, sizes, { cells: cells('readByKey', 0.5) }).outcomes[0]?.status).toBe('notShown');
  expect(run(null, sizes, { cells: cells('scan', 0.1) }).outcomes[0]?.status, 'a scan touches all').toBe('notShown');
});

import { afterAll, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { markdownLines } from '#presentation/tables/shared/markdown-table.ts';
import { heads, words } from '#presentation/tables/shared/panel-table.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { type Judged, runTruths, type Truth, truthText } from './truths.fixture.ts';

// Whole runs of a minute or more, on machines that may be busy.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 240_000 });

const own = sharedHome(keeping('embedded-postgres', 'local-mariadb', 'local-mongodb'));

const [postgres, mariadb, mongodb, sqlite] = ['embedded-postgres', 'local-mariadb', 'local-mongodb', 'sqlite'] as const;

/** The same truth on several targets. */
const on = (targets: readonly string[], truth: Omit<Truth, 'target'>): readonly Truth[] =>
  targets.map((target) => ({ target, ...truth }));

const equalRewrites = (targets: readonly string[], ...changes: readonly string[]) =>
  changes.flatMap((change) => on(targets, { change, answers: 'equal' }));

const sql = [postgres, mariadb, sqlite];

/** The known truths, by the names of their experiments. All of them together take some eight minutes. */
const experiments: Readonly<Record<string, readonly Truth[]>> = {
  index: on([postgres, mariadb, sqlite, mongodb], {
    change: 'on the code',
    claims: { find: 'faster', add: 'slower' },
    hasOtherPlan: true,
  }),
  'sort-memory': on([postgres, mariadb], { change: 'enough', claims: { 'last-page': 'faster' } }),
  'generic-plan': on([postgres], {
    change: 'for all values',
    claims: { 'next-jobs': 'slower' },
    hasOtherPlan: true,
  }),
  // The PostgreSQL of npm is built without LLVM, and compiles nothing.
  jit: on([postgres], { change: 'refused', isVain: true }),
  rewrites: [
    ...equalRewrites(sql, 'EXISTS', 'DISTINCT of a join', 'outer join'),
    // SQLite has no ANY.
    ...equalRewrites([postgres, mariadb], 'ANY'),
    // A store that sold twice comes twice; a sale of no store makes NOT IN return nothing.
    ...on(sql, { change: 'join', answers: 'differ' }),
    ...on(sql, { change: 'NOT IN', answers: 'differ' }),
  ],
  commits: on([postgres], { change: 'does not wait', claims: { throughput: 'faster' } }),
  // Updates that find room on their page write no index; at this size the gain may be smaller than the scatter.
  'fill-factor': on([postgres], { change: '60 % full', neverClaims: { throughput: 'slower' }, rows: 'larger' }),
  // Pages are decompressed when they come into the cache, so that reads of it gain nothing.
  'page-compression': on([mariadb, mongodb], {
    change: 'compressed',
    neverClaims: { throughput: 'faster' },
    rows: 'smaller',
  }),
};

const outcomes: (Judged & { readonly name: string })[] = [];
let seconds = 0;

test.each(Object.entries(experiments))('%s: the run says what is known', async (name, all) => {
  const here = all.filter(({ target }) => !isSkipped(target));
  if (here.length === 0) return;
  const startedAt = performance.now();
  const judged = await runTruths(own.home, name, here);
  seconds += (performance.now() - startedAt) / 1_000;
  outcomes.push(...judged.map((one) => ({ ...one, name })));
  expect(
    judged.flatMap(({ truth: { target, change }, wrong }) => wrong.map((why) => `${change} on ${target}: ${why}`)),
  ).toEqual([]);
});

afterAll(() => {
  const rows = outcomes.map(({ name, truth, sentence, wrong }) => [
    `\`${name}\``,
    truth.target,
    truthText(truth),
    sentence,
    wrong.length === 0 ? 'right' : `WRONG: ${wrong.join('; ')}`,
  ]);
  const table = markdownLines([...heads('experiment', 'target'), ...words('known', 'sentence of the run', '')], rows);
  const right = outcomes.filter(({ wrong }) => wrong.length === 0).length;
  process.stdout.write(`${table}\n\n${right} of ${outcomes.length} right in ${Math.round(seconds)} s\n`);
});

import { afterAll, expect, test, vi } from 'vitest';
import type { AdviceKind } from '#analysis/advise/candidate.ts';
import type { JudgedAdvice } from '#analysis/advise/judged-advice.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { testHome } from '../home.fixture.ts';
import { adviceFor } from './advise.fixture.ts';

vi.setConfig({ testTimeout: 900_000 });

/** The planted cases with the kinds of advice that are right, on each target. */
const targets = ['embedded-postgres', 'local-mariadb'] as const;
const cases: readonly (readonly [
  name: string,
  right: Readonly<Partial<Record<(typeof targets)[number], readonly AdviceKind[]>>>,
])[] = [
  ['missing-index', both('missingIndex')],
  ['wrong-order', both('columnOrder')],
  ['covering', both('coveringIndex')],
  // MariaDB has no index of some rows.
  ['partial', { 'embedded-postgres': ['partialIndex'], 'local-mariadb': ['missingIndex'] }],
  ['redundant', both('redundantIndex')],
  ['unused', both('unusedIndex')],
  ['function-on-column', both('rewrite')],
  ['n-plus-one', both('lookUps')],
  ['spilled-sort', both('sortMemory')],
  // MariaDB has no statistics of several columns.
  ['correlated', { 'embedded-postgres': ['statistics'] }],
];

function both(kind: AdviceKind) {
  return { 'embedded-postgres': [kind], 'local-mariadb': [kind] };
}

const budgetSeconds = 240;
/** The least number of cases in which the right advice is the first one. */
const leastRight = 17 / 20;

const table: {
  readonly name: string;
  readonly target: string;
  readonly first: JudgedAdvice | undefined;
  readonly isRight: boolean;
}[] = [];

test.each(
  cases.flatMap(([name, right]) =>
    targets.flatMap((target) => (right[target] ? [[name, target, right[target]] as const] : [])),
  ),
)('%s on %s: nothing that is recommended makes a statement slower beyond the limits', async (name, target, right) => {
  if (isSkipped(target)) return;
  await using own = testHome();
  const { advice } = await adviceFor(own.home, name, target, budgetSeconds);
  const [first] = advice;
  // The answers of one look-up for all keys are not compared.
  const best = first?.candidate.kind === 'lookUps' ? 'observed' : 'recommended';
  const isRight = first?.verdict === best && right.includes(first.candidate.kind);
  table.push({ name, target, first, isRight });
  const recommended = advice.filter(({ verdict }) => verdict === 'recommended');
  for (const { effects } of recommended)
    for (const { kind, ratio } of effects) expect(ratio.low).toBeLessThanOrEqual(kind === 'read' ? 1.1 : 1.5);
});

afterAll(() => {
  const lines = table.map(({ name, target, first, isRight }) => {
    const total = first?.total ? first.total.value.toPrecision(3) : '–';
    return `${isRight ? 'right' : 'WRONG'}  ${name} on ${target}: ${first?.candidate.title ?? 'nothing'} (${first?.verdict ?? '–'}, time × ${total})`;
  });
  const right = table.filter((one) => one.isRight).length;
  process.stdout.write(`${lines.join('\n')}\n${right} of ${table.length} right\n`);
  expect(right).toBeGreaterThanOrEqual(Math.floor(table.length * leastRight));
});

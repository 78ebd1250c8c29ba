import { afterAll, expect, test, vi } from 'vitest';
import type { AdviceKind } from '#analysis/advise/candidate.ts';
import { limitOf } from '#analysis/advise/verdict.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import type { JudgedAdvice, TimeRatio } from '#protocol/advice.ts';
import { testHome } from '../home.fixture.ts';
import { adviceFor } from './advise.fixture.ts';

// The budget of a case, the start of its server, and a busy machine.
vi.setConfig({ testTimeout: 900_000 });

type Target = 'embedded-postgres' | 'local-mariadb';

/** A planted case: a file whose best change is known. */
interface Case {
  readonly name: string;
  readonly target: Target;
  readonly right: AdviceKind;
  /** The time for the case; all of them together take at most 45 minutes. */
  readonly budgetSeconds: number;
  /** The kinds of advice that would be a mistake beside the right one. Default: none. */
  readonly harmful?: readonly AdviceKind[];
}

const onBoth = (name: string, right: AdviceKind, more: Partial<Case> = {}): readonly Case[] =>
  (['embedded-postgres', 'local-mariadb'] as const).map((target) => ({
    ...{ name, target, right, budgetSeconds: 120, ...more },
  }));

const cases: readonly Case[] = [
  ...onBoth('missing-index', 'missingIndex'),
  ...onBoth('wrong-order', 'columnOrder'),
  ...onBoth('covering', 'coveringIndex'),
  { name: 'partial', target: 'embedded-postgres', right: 'partialIndex', budgetSeconds: 120 },
  // MariaDB has no index of some rows.
  { name: 'partial', target: 'local-mariadb', right: 'missingIndex', budgetSeconds: 120 },
  ...onBoth('redundant', 'redundantIndex', { budgetSeconds: 150 }),
  ...onBoth('unused', 'unusedIndex'),
  // The other text needs the index that no plan reads so far.
  ...onBoth('function-on-column', 'rewrite', { harmful: ['unusedIndex'] }),
  ...onBoth('n-plus-one', 'lookUps'),
  ...onBoth('spilled-sort', 'sortMemory', { budgetSeconds: 150 }),
  // MariaDB has no statistics of several columns.
  { name: 'correlated', target: 'embedded-postgres', right: 'statistics', budgetSeconds: 120 },
  // PostgreSQL has histograms of all columns, and MariaDB only where it was asked for them.
  { name: 'join-order', target: 'local-mariadb', right: 'statistics', budgetSeconds: 120, harmful: ['unusedIndex'] },
];

/** The least share of cases in which the right advice is the first one. */
const leastRight = 17 / 20;

interface Outcome {
  readonly planted: Case;
  readonly first: JudgedAdvice | undefined;
  readonly isRight: boolean;
  readonly seconds: number;
}
const outcomes: Outcome[] = [];

test.each(cases)('$name on $target: nothing harmful is recommended', async (planted) => {
  const { name, target, right, budgetSeconds, harmful = [] } = planted;
  if (isSkipped(target)) return;
  await using own = testHome();
  const { advice, usedSeconds } = await adviceFor(own.home, name, target, budgetSeconds);
  const [first] = advice;
  // The answers of one look-up for all keys are not compared.
  const best = right === 'lookUps' ? 'observed' : 'recommended';
  const isRight = first?.verdict === best && first.candidate.kind === right;
  outcomes.push({ planted, first, isRight, seconds: usedSeconds });
  for (const one of advice.filter(({ verdict }) => verdict === 'recommended')) {
    const { candidate, effects, insteadOf } = one;
    for (const { kind, ratio } of effects) expect(ratio.low).toBeLessThanOrEqual(1 + limitOf(kind));
    if (candidate.tables.length > 0) expect(effects.filter(({ kind }) => kind !== 'read')).not.toEqual([]);
    if (harmful.includes(candidate.kind)) expect(insteadOf).not.toBeNull();
  }
});

test('the right advice is the first one in nearly all of the cases', () => {
  const right = outcomes.filter((one) => one.isRight).length;
  expect(right, tableText()).toBeGreaterThanOrEqual(Math.floor(outcomes.length * leastRight));
});

afterAll(() => {
  process.stdout.write(`${tableText()}\n`);
});

/** The cases, one in a line, and the number of right ones. */
function tableText(): string {
  const rows = outcomes.map(({ planted, first, isRight, seconds }) => [
    isRight ? 'right' : 'WRONG',
    planted.name,
    planted.target,
    planted.right,
    first === undefined ? 'nothing' : `${first.candidate.kind}: ${first.candidate.title} (${first.verdict})`,
    ratioText(first?.total ?? null),
    ratioText(writesOf(first)),
    `${Math.round(seconds)} s`,
  ]);
  const head = ['', 'case', 'target', 'expected', 'first advice', 'time of all statements', 'time of writes', 'used'];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  const right = outcomes.filter((one) => one.isRight).length;
  const seconds = outcomes.reduce((sum, one) => sum + one.seconds, 0);
  return [...lines, `${right} of ${outcomes.length} right in ${Math.round(seconds)} s`].join('\n');
}

/** The effect on the writes that become slowest. */
const writesOf = (advice: JudgedAdvice | undefined): TimeRatio | null =>
  (advice?.effects ?? []).filter(({ kind }) => kind !== 'read').toSorted((a, b) => b.ratio.value - a.ratio.value)[0]
    ?.ratio ?? null;

const ratioText = (ratio: TimeRatio | null): string =>
  ratio === null
    ? '–'
    : `× ${ratio.value.toPrecision(3)} (${ratio.low.toPrecision(3)} to ${ratio.high.toPrecision(3)})`;

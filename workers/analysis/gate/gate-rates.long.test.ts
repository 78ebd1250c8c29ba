import { describe, expect, it } from 'vitest';
import { gateRates, ratesUntilDecided } from './gate-rates.fixture.ts';
import type { MadeHistory } from './made-history.fixture.ts';

const histories = 1_000;
const usual: MadeHistory = { cells: 1, slower: 1, factor: 1, repeats: 5, cv: 0.03, drift: 0, earlier: null };
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** The outcomes without a change, and with 5, 10 and 15 % less throughput. */
function row(words: string, made: Partial<MadeHistory>) {
  const of = (factor: number) => gateRates(7, histories, { ...usual, ...made, factor });
  const [none, five, ten, fifteen] = [of(1), of(0.95), of(0.9), of(0.85)] as const;
  console.log(
    `| ${words} | ${percent(none.failed)} | ${percent(none.passed)} | ${percent(five.failed)} | ${percent(ten.failed)} | ${percent(ten.passed)} | ${percent(fifteen.failed)} |`,
  );
  return { none, ten };
}

describe('over 1,000 made-up histories', () => {
  it.each<[string, Partial<MadeHistory>]>([
    ['in turn, 1 cell', {}],
    ['in turn, 5 cells, 1 slower', { cells: 5 }],
    ['in turn, 20 cells, 1 slower', { cells: 20 }],
    ['in turn, 20 cells, 1 slower, 6 repeats', { cells: 20, repeats: 6 }],
    ['in turn, 20 cells, all slower', { cells: 20, slower: 20 }],
    ['in turn, 1 cell, scatter 10 %', { cv: 0.1 }],
    ['3 earlier runs, no drift', { earlier: 3 }],
    ['4 earlier runs, no drift', { earlier: 4 }],
    ['10 earlier runs, no drift', { earlier: 10 }],
    ['10 earlier runs, no drift, 20 cells, 1 slower', { earlier: 10, cells: 20 }],
    ['5 earlier runs, drift 1 %', { earlier: 5, drift: 0.01 }],
    ['10 earlier runs, drift 1 %', { earlier: 10, drift: 0.01 }],
    ['10 earlier runs, drift 1 %, 5 cells, 1 slower', { earlier: 10, drift: 0.01, cells: 5 }],
    ['10 earlier runs, drift 2 %', { earlier: 10, drift: 0.02 }],
    ['10 earlier runs, drift 2 %, 20 cells, all slower', { earlier: 10, drift: 0.02, cells: 20, slower: 20 }],
    ['10 earlier runs, drift 5 %', { earlier: 10, drift: 0.05 }],
    ['3 earlier runs that wander by 2 %', { earlier: 3, drift: 0.02, wanders: true }],
    ['10 earlier runs that wander by 2 %', { earlier: 10, drift: 0.02, wanders: true }],
    ['10 earlier runs that wander by 5 %', { earlier: 10, drift: 0.05, wanders: true }],
    ['10 earlier runs that wander by 5 %, 20 cells', { earlier: 10, drift: 0.05, wanders: true, cells: 20 }],
    ['2 earlier runs, drift 5 %', { earlier: 2, drift: 0.05 }],
  ])('fails at most one gate of twenty without a change: %s', (words, made) => {
    const { none, ten } = row(words, made);
    expect(none.failed).toBeLessThanOrEqual(0.05);
    expect(ten.passed).toBeLessThanOrEqual(0.05);
  });

  it.each<[string, Partial<MadeHistory>]>([
    ['in turn, 1 cell', {}],
    ['in turn, 5 cells', { cells: 5 }],
    ['4 earlier runs', { earlier: 4 }],
    ['10 earlier runs, drift 1 %', { earlier: 10, drift: 0.01 }],
    ['10 earlier runs, drift 1 %, 5 cells', { earlier: 10, drift: 0.01, cells: 5 }],
  ])('finds 10 % less throughput in 90 % of gates at a scatter of 3 % and 5 repeats: %s', (_, made) => {
    expect(gateRates(7, histories, { ...usual, ...made, factor: 0.9 }).failed).toBeGreaterThanOrEqual(0.9);
  });

  it.each([0.03, 0.1])('decides more gates with further repeats, and hardly more of them falsely: scatter %f', (cv) => {
    const of = (factor: number) => ratesUntilDecided(9, 300, { ...usual, cv, factor });
    const [none, ten] = [of(1), of(0.9)];
    console.log(
      `| until decided, scatter ${percent(cv)} | ${percent(none.failed)} | ${percent(none.passed)} | | ${percent(ten.failed)} | ${percent(ten.passed)} | ${none.repeats.toFixed(1)} and ${ten.repeats.toFixed(1)} repeats |`,
    );
    expect(none.failed).toBeLessThanOrEqual(0.05);
  });
});

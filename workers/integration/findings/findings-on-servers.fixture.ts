import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Findings, findingsOf } from '#analysis/findings/find-findings.ts';
import type { RuleId } from '#analysis/findings/registry.ts';
import type { Shown } from '#analysis/findings/shared/finding.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { Home } from '#platform/paths.ts';
import { dyno } from '../cli.fixture.ts';
import { experimentYaml } from '../home.fixture.ts';

/** Runs experiments through the command line, for tests that provoke findings on real servers. */

export type Parts = NonNullable<Parameters<typeof experimentYaml>[0]>;

let files = 0;

export function writeExperiment(home: Home, parts: Parts): string {
  const file = join(home.root, `${++files}.dyno.yaml`);
  writeFileSync(file, experimentYaml(parts));
  return file;
}

export async function provoke(home: Home, parts: Parts): Promise<Findings> {
  const { out, err } = await dyno(home, 'run', writeExperiment(home, parts));
  return findingsIn(`${out}\n${err}`);
}

/** The findings of a command that ran an experiment. */
export function findingsIn(out: string): Findings {
  const journal = /^run: (.+)$/m.exec(out)?.[1];
  if (journal === undefined) throw new Error(`No journal in:\n${out}`);
  const reader = createRunReader();
  for (const line of readFileSync(journal, 'utf8').split('\n')) if (line) reader.add(JSON.parse(line));
  return findingsOf(reader.model());
}

/** The variants and targets in a rule's claim. */
export const cellsOf = ({ shown }: Findings, id: RuleId): readonly string[] =>
  shownOf({ shown, unshown: [] }, id).map(({ cell }) => (cell === null ? 'run' : `${cell.variant} on ${cell.target}`));

export const shownOf = ({ shown }: Findings, id: RuleId): readonly Shown[] =>
  shown.filter(({ rule }) => rule.id === id).flatMap(({ lead, also }) => [lead, ...also]);

/** The answer of a rule without a claim, for the message of a test that expected a claim. */
export const whyNot = ({ shown, unshown }: Findings, id: RuleId): string =>
  [...shown, ...unshown]
    .flatMap(({ rule, ...found }) => (rule.id !== id ? [] : 'outcomes' in found ? found.outcomes : found.unshown))
    .map(({ cell, why }) => `${cell?.variant ?? 'run'}: ${why}`)
    .join('\n');

/** Expects these cells in a rule's claims, in any order. */
export const expectCells = (found: Findings, id: RuleId, cells: readonly string[]): void =>
  expect(cellsOf(found, id).toSorted(), whyNot(found, id)).toEqual(cells.toSorted());

/** The evidence of a claim, by its label. */
export const evidenceOf = (claim: Shown | undefined, label: string): number | undefined =>
  claim?.evidence.find((one) => one.label === label)?.value;

/** Journals of this home's runs, oldest first. */
export const journals = ({ runs }: Home): readonly string[] =>
  readdirSync(runs)
    .filter((name) => name.endsWith('.dyno-run'))
    .toSorted()
    .map((name) => join(runs, name));

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { OnServer } from './server.fixture.ts';

/**
 * Values are bound, so that every server supports them; tables are small and users think, because texts and results are
 * tested, not speed.
 */
const small = [
  ...['measure.repeats=1', 'measure.until.seconds=0.4', 'measure.warmupSeconds=0.1'],
  ...['workload.thinkMs=5', 'baseline='],
];
const ycsb = ['factors.method=bind', 'dataset.rows=400', 'workload.connections=2'];
const tpcB = ['factors.connections=2', 'tables.accounts.rows=400'];
const mixes: Readonly<Record<string, readonly string[]>> = {
  'ycsb-a': ycsb,
  'ycsb-b': ycsb,
  'ycsb-c': ycsb,
  // Reads request the newest keys: with two connections, one may request a row that the other is still inserting.
  'ycsb-d': [...ycsb, 'workload.connections=1'],
  'ycsb-e': ycsb,
  'ycsb-f': ycsb,
  'tpc-b': tpcB,
};

/** These mixes have the texts of ycsb-a with other weights, so one target is enough. */
const sameTexts = ['ycsb-b', 'ycsb-c'];

const textOf = (name: string) =>
  readFileSync(new URL(`../../../experiments/${name}.dyno.yaml`, import.meta.url), 'utf8');

async function run(home: Home, name: string, target: string): Promise<TrialResult | undefined> {
  const file = applyOverrides(readYaml(textOf(name)), [...small, ...mixes[name]!, `targets=${target}`]);
  const created = await newTrustedRun({ home, yaml: file.text });
  const { results } = collect(created);
  await created.start();
  return results().at(-1);
}

/** Tests that the standard mixes of the gallery do their documented work. */
export function testMixes(server: OnServer): void {
  const names = Object.keys(mixes).filter((name) => server.target === 'sqlite' || !sameTexts.includes(name));
  if (server.target === 'sqlite')
    it.each(sameTexts)('%s asks by texts of ycsb-a', (name) => {
      const statementsOf = (one: string) =>
        parse(textOf(one)).statements as Readonly<Record<string, { weight?: number }>>;
      const all = statementsOf('ycsb-a');
      for (const [statement, { weight: _, ...rest }] of Object.entries(statementsOf(name)))
        expect(all[statement]).toMatchObject(rest);
    });
  it.each(server.target === 'sqlite' ? names : smokeOf(names))(
    '%s does what it says, without errors but those that are tried again',
    async (name) => {
      const result = await run(server.home, name, server.target);
      // A continued trial records its first error, whose call was retried.
      expect(result?.error ?? { retryable: true }).toMatchObject({ retryable: true });
      expect(result?.status).toBe('ok');
      const calls = (statement: string) => result!.statements?.find((one) => one.name === statement)?.calls ?? 0;
      if (name === 'tpc-b') {
        expect(calls('tpc-b')).toBeGreaterThan(0);
        expect(result!.checks).toMatchObject([{ found: { count: 0 } }]);
      } else expect(calls(name === 'ycsb-e' ? 'scan' : 'read')).toBeGreaterThan(0);
      if (name === 'ycsb-f') expect(calls('read-modify-write')).toBeGreaterThan(0);
      if (name === 'ycsb-d') {
        const { rows, calls: reads } = result!.statements!.find((one) => one.name === 'read')!;
        expect(rows, 'reads of keys of rows that are there').toBe(reads);
      }
    },
  );
}

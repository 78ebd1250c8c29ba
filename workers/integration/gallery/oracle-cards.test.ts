import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { isEmulator } from '#planning/rates/contenders.ts';
import { galleryFolder } from '#platform/paths.ts';
import { whole } from '#platform/whole.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { dyno } from '../cli.fixture.ts';
import { oracleEmulatorName, withOracleEmulator } from '../oracle-emulator.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { judgeCard } from './judge-card.ts';
import { smallOverrides } from './small-size.ts';

/**
 * Experiments of the gallery whose figures were published for Oracle. They name an Oracle in a comment, because users
 * have no Oracle that Dyno could start; the emulator is a server of tests alone.
 */

const names = [
  ...['literal-or-bind', 'fetch-size', 'rows-per-call', 'sort-memory', 'commit-size', 'first-scan'],
  'bind-sensitivity',
];
const textOf = (name: string) => readFileSync(join(galleryFolder, `${name}.dyno.yaml`), 'utf8');

it.each(names)('%s runs on Oracle with the line of its target that is a comment', (name) => {
  const text = textOf(name).replace(/^ {2}# (?=- \{ name: oracle, )/m, '  ');
  const { plan, diagnostics } = planExperiment(parseFile(text), { catalog: catalog.map((one) => one.descriptor) });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan!.targets).toContainEqual(expect.objectContaining({ name: 'oracle', engine: 'oracle' }));
  expect(plan!.trials.some(({ target }) => target === 'oracle')).toBe(true);
});

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });
const isHere = !(isSkipped('oracle') || isSkipped(oracleEmulatorName));

describe.runIf(whole && isHere)('on the Oracle emulator', () => {
  const test = sharedHome(withOracleEmulator);

  it.each([
    ['literal-or-bind', []],
    [
      'first-scan',
      [expect.stringMatching(/^Before: emptied: The emulator .* has no buffer cache of its own/) as string],
    ],
  ])('%s runs, marked as an emulator’s, except for what the emulator lacks', async (name, failures) => {
    const written = parseFile(textOf(name));
    const overrides = smallOverrides(written.experiment!, [oracleEmulatorName]);
    // The emulator inserts a few hundred rows a second.
    const small = applyOverrides(written, [...overrides, 'dataset.rows=400', 'measure.repeats=1']);
    const file = join(test.home.root, `${name}.dyno.yaml`);
    writeFileSync(file, small.text);
    const { out, err } = await dyno(test.home, 'run', file, '--trust');
    const journal = /^run: (.+)$/m.exec(`${out}\n${err}`)?.[1];
    expect(journal, `${out}\n${err}`).toBeDefined();
    const model = await loadRun(test.home, journal!);
    expect(model.targets.map(isEmulator)).toEqual([true]);
    expect(judgeCard(model)).toEqual({ failures, undecided: [], confirmed: 0 });
  });
});

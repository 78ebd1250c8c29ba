import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import { withMadeTrials } from '#orchestrator/run/made-trials.fixture.ts';
import { runTrial } from '#orchestrator/trial/trial.ts';
import type { Values } from '../command.ts';
import { runCommand } from '../run/run.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });
vi.mock('../../orchestrator/trial/trial.ts', { spy: true });

const test = sharedHome();
afterEach(() => {
  vi.mocked(runTrial).mockReset();
});

const twoTargets = '[{ name: before, engine: sqlite }, { name: after, engine: sqlite, synchronous: off }]';

/** Runs the command in this process, with trials of known throughput. */
async function dyno(
  values: Values,
  measure = '{ until: { seconds: 1 }, repeats: 4, warmupSeconds: 0 }',
  targets = twoTargets,
) {
  const file = join(test.home.root, 'gate.dyno.yaml');
  writeFileSync(file, experimentYaml({ workload: '{ operation: insert }', targets, measure }));
  const [printed, notes]: [string[], string[]] = [[], []];
  const code = await runCommand.run({
    home: test.home,
    positionals: [file],
    values: { quiet: true, trust: true, ...values },
    print: (text) => printed.push(text),
    printJson: () => {},
    note: (text) => notes.push(text),
  });
  return { code, text: printed.join('\n'), notes };
}

/** Trials of “after” have this share of the throughput of “before”, and all of them scatter by some per mille. */
const withRatio = (ratio: number, scatter = 1) =>
  withMadeTrials(({ trial: { target, number } }) =>
    Math.round((target === 'after' ? ratio : 1) * (100_000 + 100 * scatter * ((number * 7) % 5))),
  );

describe('dyno run with conditions', () => {
  it('compares the targets of a run in turn: red, green, and yellow', async () => {
    const values = { baseline: 'target:before', 'fail-on': ['slower 5%', 'errors 1%'] };
    withRatio(0.8);
    const red = await dyno(values);
    expect(red.code).toBe(11);
    expect(red.text).toMatch(/^Failed: after is 0\.\d+–0\.\d+× of the baseline: more than 5\s% slower\.\n/);
    expect(red.notes).toContain('gate: failed');
    withRatio(1);
    expect(await dyno(values)).toMatchObject({ code: 0, text: expect.stringMatching(/^Passed: all 2 comparisons/) });
    withRatio(0.95, 20);
    const yellow = await dyno(values);
    expect(yellow.code).toBe(12);
    expect(yellow.text).toMatch(/^Undecided: after is .*, and the limit is 0\.95×\./);
  });

  it('goes on until the gate is decided', async () => {
    withRatio(0.91, 50);
    const conditions = { baseline: 'target:before', 'fail-on': ['slower 5%'] };
    const few = await dyno(conditions, '{ until: { seconds: 1 }, repeats: 2, warmupSeconds: 0 }');
    expect(few.code).toBe(12);
    const until = { ...conditions, 'until-decided': true, budget: '10m' };
    const decided = await dyno(until, '{ until: { seconds: 1 }, repeats: 2, warmupSeconds: 0 }');
    expect(decided.code).toBe(11);
    expect(decided.text).toMatch(/^Failed: after is/);
  });

  it('measures both versions in turn where the same target leads to another one, and writes its outputs once', async () => {
    withMadeTrials(({ trial: { target, number } }) => (target === 'shop' ? 80_000 : 100_000) + (number % 5));
    const measure = '{ until: { seconds: 1 }, repeats: 3, warmupSeconds: 0 }';
    const version = (synchronous: string) => `[{ name: shop, engine: sqlite, synchronous: ${synchronous} }]`;
    expect((await dyno({}, measure, version('off'))).code).toBe(0);
    const asked = { baseline: 'last', 'fail-on': ['slower 5%'], 'until-decided': true, junit: '-' };
    const { code, text, notes } = await dyno(asked, measure, version('full'));
    expect(notes).toContain('Both versions are now measured in turn, until the gate is decided.');
    expect(code).toBe(11);
    expect(text.match(/<\?xml/g)).toHaveLength(1);
    expect(text).toMatch(/<failure message="[^"]*more than 5\s% slower/);
  });

  it('refuses a baseline that is not there before anything runs', async () => {
    withRatio(1);
    await expect(dyno({ baseline: 'nothing', 'fail-on': ['slower 5%'] })).rejects.toThrow('There is no run');
    expect(runTrial).not.toHaveBeenCalled();
  });
});

import { describe, expect, it } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { untilDecided, withOpenEnd } from './until-decided.ts';
import { versionsInTurn } from './versions-in-turn.ts';

const run = fixtureRun({ connections: [1] });
const withValue = (path: readonly string[], value: unknown) => {
  const { text } = setIn(readYaml(run.yaml), path, value);
  return { ...run, yaml: text, plan: { ...run.plan, experiment: parseFile(text).experiment! } } as RunModel;
};
const onServer = (port: number) => withValue(['targets'], [{ name: 'server', engine: 'postgres', host: 'db', port }]);

describe('a run that goes on until its gate is decided', () => {
  it('has many repeats, and no time limit of the file', () => {
    const limited = withValue(['measure'], {
      ...{ until: { seconds: 1, precision: 0.05 }, repeats: { min: 3, max: 9 }, budgetSeconds: 60 },
    });
    const { experiment, diagnostics } = withOpenEnd(parseFile(limited.yaml));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(experiment?.measure).toMatchObject({ repeats: 100 });
    expect(experiment?.measure).not.toHaveProperty('budgetSeconds');
  });

  it('needs a gate and a time', () => {
    expect(untilDecided({}, null)).toBeNull();
    expect(() => untilDecided({ 'until-decided': true }, null)).toThrow('needs a condition');
    expect(() => untilDecided({ 'until-decided': true, budget: 'soon' }, {})).toThrow('--budget takes a time');
    expect(() => untilDecided({ budget: '20m' }, {})).toThrow('--until-decided, which is not given');
    expect(untilDecided({ 'until-decided': true, budget: '90s' }, {})! - performance.now()).toBeGreaterThan(80_000);
  });
});

describe('two versions in turn', () => {
  it('need other servers for the same targets, and nothing else that differs', () => {
    expect(versionsInTurn(null, onServer(1))).toBeNull();
    expect(versionsInTurn(onServer(1), onServer(1))).toBeNull();
    expect(versionsInTurn(onServer(1), onServer(2))).not.toBeNull();
    const other = withValue(['targets'], [{ name: 'other', engine: 'postgres', host: 'db', port: 2 }]);
    expect(versionsInTurn(onServer(1), other)).toBeNull();
    const moreRows = setIn(readYaml(onServer(1).yaml), ['dataset', 'rows'], 12_345).text;
    const changed = { ...run, yaml: moreRows, plan: { ...run.plan, experiment: parseFile(moreRows).experiment! } };
    expect(versionsInTurn(changed as RunModel, onServer(2))).toBeNull();
  });
});

import { expect, it } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from './plan-context.ts';

const yaml = (target: string) => experimentYaml({ targets: `\n  - ${target}` });
const check = (target: string) => planExperiment(parseFile(yaml(target)), planContext());
const fromVariable = `\${env:DB_URL}`;

it('points to the value in a target that its engine refuses, before anything runs', () => {
  const wrong = '{ name: mine, engine: postgres, host: db, port: 99999 }';
  const { plan, diagnostics } = check(wrong);
  expect(plan).toBeNull();
  const line = yaml(wrong).split(wrong)[0]!.split('\n').length;
  expect(diagnostics).toMatchObject([
    { severity: 'error', path: 'targets[0].port', line, message: 'port must be a whole number from 1 to 65535.' },
  ]);
  expect(check('{ name: mine, engine: postgres, host: db, ssl: maybe }').diagnostics[0]?.path).toBe('targets[0].ssl');
});

it('leaves values alone that the environment will give, and targets that are right', () => {
  expect(check(`{ name: mine, engine: postgres, url: '${fromVariable}' }`).plan).not.toBeNull();
  expect(check('{ name: mine, engine: postgres, host: db, port: 5433, ssl: require }').plan).not.toBeNull();
});

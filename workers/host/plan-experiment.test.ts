import { expect, it } from 'vitest';
import { experimentYaml } from './home.fixture.ts';
import { planExperiment } from './plan-experiment.ts';

const check = (target: string) => planExperiment(experimentYaml({ targets: `\n  - ${target}` }));
const fromVariable = `\${env:DB_URL}`;

it('points to the value in a target that its engine refuses, before anything runs', () => {
  const { plan, diagnostics } = check('{ name: mine, engine: postgres, host: db, port: 99999 }');
  expect(plan).toBeNull();
  expect(diagnostics).toMatchObject([
    { severity: 'error', path: 'targets[0].port', line: 12, message: 'port must be a whole number from 1 to 65535.' },
  ]);
  expect(check('{ name: mine, engine: postgres, host: db, ssl: maybe }').diagnostics[0]?.path).toBe('targets[0].ssl');
});

it('leaves values alone that the environment will give, and targets that are right', () => {
  expect(check(`{ name: mine, engine: postgres, url: '${fromVariable}' }`).plan).not.toBeNull();
  expect(check('{ name: mine, engine: postgres, host: db, port: 5433, ssl: require }').plan).not.toBeNull();
});

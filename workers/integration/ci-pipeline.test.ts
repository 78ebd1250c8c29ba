import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { DOMParser } from '@xmldom/xmldom';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { commands } from '#cli/commands.ts';
import { root } from '#cli/docs/rooms.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { testHome } from './home.fixture.ts';

vi.setConfig({ testTimeout: 180_000 });

const execute = promisify(execFile);

const blocks = [...readFileSync(join(root, 'docs/ci.md'), 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(
  ([, language = '', text = '']) => ({ language, text }),
);
const yamlWith = (words: string): string => blocks.find(({ text }) => text.includes(words))!.text;

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
}
interface Workflow {
  readonly jobs: {
    readonly performance: { readonly env: { readonly DYNO_HOME: string }; readonly steps: readonly Step[] };
  };
}
const { performance } = (parse(yamlWith('name: Performance')) as Workflow).jobs;

/** Commands on one line each. */
const joined = (script: string): string => script.replaceAll(/\s*\\\n\s*/g, ' ');

/** The words of each `dyno` command in a text of the documentation. */
const dynoCommands = (script: string): readonly (readonly string[])[] =>
  [...joined(script).matchAll(/(?<![\w/.-])dyno (?!ended)([a-z]+ [^|\n]*)/g)].map(([, line = '']) =>
    [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? ''),
  );

test('every command in docs/ci.md has a name and options that exist', () => {
  const written = blocks.flatMap(({ text }) => dynoCommands(text));
  expect(written.length).toBeGreaterThan(6);
  for (const [name, ...args] of written) {
    const command = commands.find((one) => one.name === name);
    expect(command, name).toBeDefined();
    const { positionals } = parseArgs({ args, options: command!.options, allowPositionals: true });
    expect(positionals.length, args.join(' ')).toBeGreaterThanOrEqual(command!.takes[0]);
    expect(positionals.length, args.join(' ')).toBeLessThanOrEqual(command!.takes[1]);
  }
});

test('GitLab runs the same commands as GitHub', () => {
  const { script } = (parse(yamlWith('allow_failure')) as { performance: { script: readonly string[] } }).performance;
  const onGitHub = performance.steps.flatMap(({ run = '' }) => dynoCommands(run));
  expect(dynoCommands(script.join('\n'))).toEqual(
    onGitHub.map((words) => words.filter((word) => word !== '--annotations' && word !== 'github')),
  );
  expect(parse(yamlWith('allow_failure'))).toMatchObject({
    performance: { allow_failure: { exit_codes: [exitCodes.gateUndecided] } },
  });
});

test.skipIf(process.platform === 'win32')(
  'the pipeline of GitHub works as written: main is measured, and a change is judged by it',
  async () => {
    await using test = testHome();
    const folder = join(test.home.root, 'repository');
    const [programs, summary] = [join(folder, 'bin'), join(folder, 'step-summary')];
    for (const one of [programs, join(folder, 'bench')]) mkdirSync(one, { recursive: true });
    const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
    writeFileSync(join(programs, 'dyno'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
    // The same experiment with shorter and fewer trials.
    const experiment = yamlWith('name: Orders').replace(
      /^measure: .*$/m,
      'measure: { until: { seconds: 0.2 }, repeats: 2 }',
    );
    writeFileSync(join(folder, 'bench/orders.dyno.yaml'), experiment);
    writeFileSync(summary, '');
    // The home of the test has a calibration already.
    expect(performance.env.DYNO_HOME).toMatch(/^\$\{\{ github\.workspace \}\}\/\.dyno$/);

    const environment = {
      ...process.env,
      ...{ DYNO_HOME: test.home.root, GITHUB_WORKSPACE: folder, GITHUB_STEP_SUMMARY: summary, CI: 'true' },
      PATH: `${programs}:${process.env.PATH}`,
    };
    const job = async (event: 'push' | 'pull_request'): Promise<string> => {
      const isMeant = ({ name, run, if: condition = 'always()' }: Step) =>
        run !== undefined &&
        name !== 'Install Dyno' &&
        (condition === 'always()' || condition === `github.event_name == '${event}'`);
      const steps = performance.steps.filter(isMeant);
      expect(steps.map(({ name }) => name)).toEqual([
        event === 'push' ? 'Measure main' : 'Judge the change',
        'Show the summary',
      ]);
      let printed = '';
      // A step that ends with another code than 0 fails the job, and this test.
      for (const { run } of steps)
        printed += (await execute('sh', ['-e', '-c', run!], { cwd: folder, env: environment, encoding: 'utf8' }))
          .stdout;
      return printed;
    };

    await job('push');
    expect(readdirSync(test.home.runs).filter((name) => name.endsWith('.dyno-run'))).toHaveLength(1);
    const output = await job('pull_request');
    const document = new DOMParser().parseFromString(readFileSync(join(folder, 'dyno.xml'), 'utf8'), 'text/xml');
    const cases = [...document.getElementsByTagName('testcase')].map((one) => [
      one.getAttribute('name'),
      one.getElementsByTagName('skipped').length === 1 ? 'skipped' : 'passed',
    ]);
    // After a single run of main nobody knows how much its runs differ by themselves.
    expect(cases).toEqual(
      expect.arrayContaining([
        ['readByKey on sqlite', 'passed'],
        ['slower 20%: readByKey', 'skipped'],
        ['errors 1%: readByKey', 'passed'],
      ]),
    );
    expect(output).toMatch(
      /^::warning title=Orders%2C gate%3A slower 20%25%3A readByKey,file=bench\/orders\.dyno\.yaml,line=\d+::/m,
    );
    const shown = readFileSync(summary, 'utf8');
    expect(shown.match(/^## Orders$/gm)).toHaveLength(2);
    expect(shown).toContain('### Gate undecided');
    expect(readFileSync(join(folder, 'dyno.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  },
);

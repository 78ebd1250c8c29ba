import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test, vi } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { collector } from '#live-series/collector.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { optionProblem } from '../option-problem.ts';
import { liveSeriesOptions } from './live-series-options.ts';
import { runCommand } from './run.ts';

vi.setConfig({ testTimeout: 60_000 });

test('an address that cannot be used is refused before anything begins, without its password', () => {
  const problem = (option: string, value: string) => optionProblem({ [option]: value }, liveSeriesOptions);
  expect(problem('otlp', 'http://127.0.0.1:4318')).toBeNull();
  expect(problem('prometheus', '9464')).toBeNull();
  expect(problem('prometheus', 'nine')).toMatch(/^error: --prometheus takes a port/);
  expect(problem('otlp', '4318')).toMatch(/^error: --otlp takes the address/);
  expect(problem('otlp', 'http://u:s3cret@127.0.0.1')).not.toContain('s3cret');
});

/** Runs an experiment of the user's own on the no-op engine, while the environment names a collector. */
async function runWith(options: readonly string[], collectorUrl: string, more = '') {
  await using own = testHome();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collectorUrl);
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', `${collectorUrl}/v1/metrics`);
  vi.stubEnv('OTEL_METRICS_EXPORTER', 'otlp,prometheus');
  const file = join(own.home.root, 'x.dyno.yaml');
  writeFileSync(file, experimentYaml({ measure: '{ repeats: 1 }' }) + more);
  const given = { args: [file, '--trust', '--quiet', ...options], options: runCommand.options, allowPositionals: true };
  const { values, positionals } = parseArgs(given as Parameters<typeof parseArgs>[0]);
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const context = { home: own.home, values: values as never, positionals, print: say, printJson: () => {}, note: say };
  const code = await runCommand.run(context);
  return { code, said: said.join('\n') };
}

test('variables of the environment alone send nothing', async () => {
  await using one = await collector();
  const { code, said } = await runWith([], one.url);
  expect(code).toBe(exitCodes.ok);
  expect(one.requests).toEqual([]);
  expect(said).not.toContain('live series');
});

test('nor does an experiment, which has no key for it', async () => {
  await using one = await collector();
  await expect(runWith([], one.url, `otlp: ${one.url}\n`)).rejects.toMatchObject({
    data: { kind: 'badInput', message: expect.stringContaining('otlp') },
  });
  expect(one.requests).toEqual([]);
});

test('the option sends to its address, and not to that of the environment', async () => {
  await using asked = await collector();
  await using other = await collector();
  const { code, said } = await runWith(['--otlp', asked.url], other.url);
  expect(code).toBe(exitCodes.ok);
  expect(other.requests).toEqual([]);
  expect(asked.requests.length).toBeGreaterThan(0);
  expect(said).toContain(`points sent to ${asked.url}/v1/metrics`);
});

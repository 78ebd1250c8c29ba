import { request } from 'node:http';
import { beforeEach, expect, test, vi } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { onFreePort } from '#managed-servers/process/free-port.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { type Collector, collector } from './collector.fixture.ts';
import { openLiveSeries } from './live-series.ts';

vi.setConfig({ testTimeout: 120_000 });
beforeEach(() => vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json'));

/** Two statements of SQLite beside the no-op engine, twice each, with a pause after each call. */
const whole = experimentYaml({
  rows: '100',
  columns: '{ id: { type: sequence }, payload: { type: text, length: 20 } }',
  workload: '{ operation: statement, method: prepared, thinkMs: 5 }',
  statements:
    '{ byKey: { text: "SELECT payload FROM {table} WHERE id = :id", parameters: { id: { type: key } } }, count: { text: "SELECT count(*) FROM {table}" } }',
  targets: '[sqlite, noop]',
  measure: '{ until: { seconds: 1.5 }, warmupSeconds: 0, repeats: 2 }',
});

/** One second of the no-op engine. */
const brief = experimentYaml({
  workload: '{ thinkMs: 5 }',
  measure: '{ until: { seconds: 1 }, warmupSeconds: 0, repeats: 1 }',
});

/** Runs an experiment while its series go to these places. */
async function followed(
  yaml: string,
  places: Parameters<typeof openLiveSeries>[0],
  whileOpen: (runId: string) => unknown = () => {},
) {
  await using test = testHome();
  const said: string[] = [];
  const run = await newTrustedRun({ home: test.home, yaml });
  const { results } = collect(run);
  let status: string;
  {
    await using live = await openLiveSeries(places, (text) => said.push(text));
    {
      using _ = live.follow(run);
      ({ status } = await run.start());
    }
    await whileOpen(run.id);
  }
  return { said, status, results: results(), runId: run.id };
}

const sumOf = (results: readonly TrialResult[], target: string, of: (one: TrialResult) => number): number =>
  results.filter((one) => one.target === target).reduce((sum, one) => sum + of(one), 0);

/** The histogram of a statement over all trials of a target, from the run file. */
function timesInFile(results: readonly TrialResult[], target: string, statement: string): Histogram {
  const times = new Histogram();
  for (const one of results.filter((of) => of.target === target))
    times.addEncoded(one.statements!.find(({ name }) => name === statement)!.service);
  return times;
}

test('what a collector receives second by second is what the run file holds', async () => {
  await using one = await collector();
  const { said, status, results, runId } = await followed(whole, { otlp: one.url, prometheus: null });
  expect([status, results.map((result) => result.status)]).toEqual(['complete', Array(4).fill('ok')]);
  const { resource, last, falls } = one.read();
  expect(resource).toMatchObject({ 'service.name': 'dyno', 'dyno.run.id': runId, 'dyno.experiment': 'A test' });
  expect(falls).toBe(0);
  const found = (name: string, target: string, more: Readonly<Record<string, unknown>> = {}) => {
    const fits = last.filter(
      ({ name: own, attributes }) =>
        own === name &&
        Object.entries({ 'dyno.target': target, ...more }).every(([key, value]) => attributes[key] === value),
    );
    expect(fits, `${name} of ${target}`).toHaveLength(1);
    return fits[0]!;
  };
  for (const target of ['sqlite', 'noop']) {
    expect(found('dyno.calls', target).value).toBe(sumOf(results, target, ({ totals }) => totals.calls));
    expect(found('dyno.trials', target, { 'dyno.status': 'ok' }).value).toBe(2);
    for (const statement of ['byKey', 'count']) {
      const times = timesInFile(results, target, statement);
      const { histogram } = found('db.client.operation.duration', target, { 'dyno.statement': statement });
      expect(histogram!.count).toBe(times.count);
      expect(Math.abs(histogram!.sum / ((times.mean * times.count) / 1e9) - 1)).toBeLessThan(1e-3);
      for (const percent of [50, 99]) within(histogram!, times.percentile(percent) / 1e9, percent);
    }
  }
  expect(found('dyno.calls', 'sqlite').attributes).toMatchObject({
    'db.system.name': 'sqlite',
    'db.operation.name': 'statement',
  });
  expect(one.requests.length).toBeGreaterThan(4);
  expect(one.requests.map(({ body }) => body.toString()).join()).not.toContain('SELECT');
  expect(said.at(-1)).toMatch(/^live series: [1-9][\d,]* points sent to /);
});

/** The percentile lies in the bucket in which the received counts reach it, but for the rounding of the run file. */
function within(
  { bucketCounts, explicitBounds, count }: NonNullable<ReturnType<Collector['read']>['last'][number]['histogram']>,
  seconds: number,
  percent: number,
): void {
  let seen = 0;
  const at = bucketCounts.findIndex((one) => {
    seen += one;
    return seen >= Math.ceil((percent / 100) * count);
  });
  expect(seconds).toBeGreaterThanOrEqual((explicitBounds[at - 1] ?? 0) * 0.998);
  expect(seconds).toBeLessThanOrEqual((explicitBounds[at] ?? Number.POSITIVE_INFINITY) * 1.002);
}

/** Status and text of a page; `host`: what the request calls the server. */
const get = (port: number, path: string, host = `127.0.0.1:${port}`): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
    })
      .on('error', reject)
      .end();
  });

test('Prometheus scrapes what the run file holds, by the names that it gives OTLP’s metrics', async () => {
  const pages: (readonly [number, string])[] = [];
  const { said, results, runId, port } = await onFreePort(async (free) => ({
    port: free,
    ...(await followed(whole, { otlp: null, prometheus: { host: '127.0.0.1', port: free } }, async () => {
      pages.push(await get(free, '/metrics'), await get(free, '/'), await get(free, '/metrics', 'evil.example.com'));
    })),
  }));
  expect(said).toEqual([`live series: http://127.0.0.1:${port}/metrics`]);
  const [[status, text] = [0, ''], ...others] = pages;
  expect([status, ...others.map(([one]) => one)]).toEqual([200, 404, 403]);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines)
    expect(line).toMatch(/^[a-z_:][a-z0-9_:]*\{(?:[a-z_][a-z0-9_]*="[^"]*",?)+\} [-+.\dein]+$/i);
  const sample = (name: string, ...labels: readonly string[]) => {
    const fits = lines.filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
    expect(fits, name).toHaveLength(1);
    return Number(fits[0]!.split(' ').at(-1));
  };
  const target = 'dyno_target="sqlite"';
  expect(sample('dyno_calls_total', target, `dyno_run_id="${runId}"`)).toBe(
    sumOf(results, 'sqlite', ({ totals }) => totals.calls),
  );
  const times = timesInFile(results, 'sqlite', 'byKey');
  const statement = 'dyno_statement="byKey"';
  expect(sample('db_client_operation_duration_seconds_count', target, statement)).toBe(times.count);
  expect(sample('db_client_operation_duration_seconds_bucket', target, statement, 'le="+Inf"')).toBe(times.count);
  expect(text).toContain('# TYPE db_client_operation_duration_seconds histogram');
});

test.each([
  ['is silent', (() => {}) as Parameters<typeof collector>[0]],
  ['answers 500', ((_, response) => response.writeHead(500).end()) as Parameters<typeof collector>[0]],
])('a run loses nothing to a collector that %s, and says how many points are lost', async (_, answer) => {
  await using one = await collector(answer);
  const { said, status, results } = await followed(brief, { otlp: one.url, prometheus: null });
  expect([status, results.map((result) => result.status)]).toEqual(['complete', ['ok']]);
  expect(said).toHaveLength(2);
  expect(said[0]).toContain('The run goes on');
  expect(said[1]).toMatch(/^live series: 0 points sent to \S+, [\d,]+ points lost$/);
});

test('an address that another program has is refused before a run begins', async () => {
  await using taken = await collector();
  const port = Number(new URL(taken.url).port);
  const refused = openLiveSeries({ otlp: null, prometheus: { host: '127.0.0.1', port } }, () => {});
  await expect(refused).rejects.toMatchObject({
    data: { kind: 'badInput', message: expect.stringContaining('another program listens there') },
  });
});

import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { type Collector, collector } from './collector.fixture.ts';
import { resourceMetrics, resourceOf } from './metric-data.ts';
import { type Batch, openOtlpSender } from './otlp-sender.ts';

vi.setConfig({ testTimeout: 60_000 });
vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json');

/** A busy machine takes its time. */
const patience = 20_000;

/** A batch with one point. */
const batch = (value: number): Batch => {
  const points = new Map([['calls', [{ attributes: { 'dyno.target': 'a' }, value }]]] as const);
  return { metrics: resourceMetrics(resourceOf('a-run', 'A test'), points, 1.7e12, 1.7e12 + 1), points: 1 };
};

async function opened(url: string) {
  const said: string[] = [];
  return { sender: openOtlpSender(`${url}/v1/metrics`, (text) => said.push(text)), said };
}

const valuesOf = (one: Collector): readonly (number | undefined)[] => one.read().last.map(({ value }) => value);

test('what waits for a busy collector is replaced by newer points, and counts as lost', async () => {
  const answers: (() => void)[] = [];
  await using slow = await collector((_, response) => void answers.push(() => response.writeHead(200).end()));
  const { sender, said } = await opened(slow.url);
  for (const value of [1, 2, 3]) sender.send(batch(value));
  await vi.waitFor(() => expect(answers).toHaveLength(1), patience);
  answers.shift()!();
  await vi.waitFor(() => expect(answers).toHaveLength(1), patience);
  answers.shift()!();
  await sender.end();
  expect(slow.requests).toHaveLength(2);
  expect(valuesOf(slow)).toEqual([3]);
  expect(said).toEqual([`live series: 2 points sent to ${slow.url}/v1/metrics, 1 point lost`]);
});

test.each([
  ['500', 500, 'answered with HTTP 500', 'the log of the collector'],
  ['403', 403, 'refused the points (HTTP 403)', 'OTEL_EXPORTER_OTLP_HEADERS'],
])('an answer %s is said once, with what to do, and without the collector’s words', async (_, status, why, hint) => {
  await using broken = await collector((_request, response) => response.writeHead(status).end('their words'));
  const { sender, said } = await opened(broken.url);
  sender.send(batch(1));
  sender.send(batch(2));
  await vi.waitFor(() => expect(broken.requests).toHaveLength(2), patience);
  await sender.end();
  expect(said).toHaveLength(2);
  expect(said[0]).toContain(why);
  expect(said[0]).toContain(hint);
  expect(said.join()).not.toContain('their words');
  expect(said[1]).toBe(`live series: 0 points sent to ${broken.url}/v1/metrics, 2 points lost`);
});

test('a collector that is away is said once, and its points are lost', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  const { sender, said } = await opened(`http://127.0.0.1:${port}`);
  sender.send(batch(1));
  await vi.waitFor(() => expect(said).toHaveLength(1), patience);
  expect(said[0]).toContain('cannot be reached (ECONNREFUSED)');
  expect(said[0]).toContain('Start the collector');
  await sender.end();
  expect(said[1]).toContain('0 points sent');
  expect(said[1]).toContain('1 point lost');
});

test.each([
  ['never answers', () => {}],
  [
    'answers a byte now and then, without end',
    (response: { write(text: string): void; on(event: 'close', then: () => void): void }) => {
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
    },
  ],
] as const)('a collector that %s is given up, and its connection closed', async (_, drip) => {
  let closed = 0;
  await using silent = await collector((_request, response) => {
    response.on('close', () => closed++);
    drip(response);
  });
  const { sender, said } = await opened(silent.url);
  sender.send(batch(1));
  await vi.waitFor(() => expect(silent.requests).toHaveLength(1), patience);
  await sender.end();
  await vi.waitFor(() => expect(closed).toBe(1), patience);
  expect(said.at(-1)).toContain('0 points sent');
  expect(said.at(-1)).toContain('1 point lost');
});

test('points that the collector refuses although it answers with success are lost', async () => {
  const answer = JSON.stringify({ partialSuccess: { rejectedDataPoints: '1', errorMessage: 'their words' } });
  await using picky = await collector((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
  );
  const { sender, said } = await opened(picky.url);
  sender.send(batch(1));
  await sender.end();
  expect(said[0]).toContain('refused some of the points');
  expect(said[1]).toContain('0 points sent');
  expect(said[1]).toContain('1 point lost');
  expect(said.join()).not.toContain('their words');
});

test('an answer that is too long is not read to its end', async () => {
  await using chatty = await collector((_, response) => response.writeHead(200).end('x'.repeat(200_000)));
  const { sender, said } = await opened(chatty.url);
  sender.send(batch(1));
  await sender.end();
  expect(said.at(-1)).toContain('1 point lost');
});

test('headers and resource attributes of the environment are sent, Protobuf is the usual encoding', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=Bearer%20s3cret');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'team=dba');
  await using json = await collector();
  const first = await opened(json.url);
  first.sender.send(batch(1));
  await first.sender.end();
  expect(json.requests[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret' });
  expect(json.read().resource).toMatchObject({ 'service.name': 'dyno', 'dyno.run.id': 'a-run', team: 'dba' });
  expect(first.said.join()).not.toContain('s3cret');
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', undefined);
  vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip');
  await using binary = await collector();
  const second = await opened(binary.url);
  second.sender.send(batch(1));
  await second.sender.end();
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  expect(binary.requests).toMatchObject([{ path: '/v1/metrics', headers }]);
  expect(gunzipSync(binary.requests[0]!.body).toString('latin1')).toContain('dyno.calls');
});

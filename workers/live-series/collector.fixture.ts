import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import * as v from 'valibot';

/** OTLP's messages for metrics as JSON (opentelemetry-proto 1.x), as far as the live series use them; nothing more. */
const value = v.strictObject({
  stringValue: v.optional(v.string()),
  boolValue: v.optional(v.boolean()),
  intValue: v.optional(v.number()),
  doubleValue: v.optional(v.number()),
});
const attributes = v.array(v.strictObject({ key: v.string(), value }));
const nanos = v.pipe(v.string(), v.regex(/^\d{19}$/));
const point = { attributes, startTimeUnixNano: nanos, timeUnixNano: nanos };
const numbers = v.array(v.strictObject({ ...point, asDouble: v.number() }));
const cumulative = v.literal(2);
const metric = v.strictObject({
  name: v.string(),
  description: v.string(),
  unit: v.string(),
  sum: v.optional(
    v.strictObject({ aggregationTemporality: cumulative, isMonotonic: v.literal(true), dataPoints: numbers }),
  ),
  gauge: v.optional(v.strictObject({ dataPoints: numbers })),
  histogram: v.optional(
    v.strictObject({
      aggregationTemporality: cumulative,
      dataPoints: v.array(
        v.strictObject({
          ...point,
          count: v.number(),
          sum: v.number(),
          bucketCounts: v.array(v.number()),
          explicitBounds: v.array(v.number()),
        }),
      ),
    }),
  ),
});
const request = v.object({
  resourceMetrics: v.array(
    v.object({
      resource: v.object({ attributes }),
      scopeMetrics: v.array(v.object({ scope: v.object({ name: v.string() }), metrics: v.array(metric) })),
    }),
  ),
});

/** A series at its last arrival. */
interface Received {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The value of a counter or gauge. */
  readonly value: number | undefined;
  readonly histogram:
    | v.InferOutput<NonNullable<typeof metric.entries.histogram.wrapped.entries.dataPoints.item>>
    | undefined;
}

/** A collector of a test's own. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  /** The last point of each series, and the values that each counter has had, from requests in JSON. */
  read(): {
    readonly resource: Readonly<Record<string, unknown>>;
    readonly last: readonly Received[];
    readonly falls: number;
  };
}

const plain = (all: v.InferOutput<typeof attributes>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(all.map(({ key, value: one }) => [key, Object.values(one)[0]]));

const takes: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

/** Starts a collector on 127.0.0.1, which takes everything unless `answer` does otherwise. */
export async function collector(answer: RequestListener = takes): Promise<Collector> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((asked, response) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      requests.push({ path: asked.url ?? '', headers: asked.headers, body: Buffer.concat(parts) });
      answer(asked, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    read() {
      const last = new Map<string, Received>();
      let resource: Readonly<Record<string, unknown>> = {};
      let falls = 0;
      for (const { body } of requests)
        for (const one of v.parse(request, JSON.parse(body.toString())).resourceMetrics) {
          resource = plain(one.resource.attributes);
          for (const { name, unit, sum, gauge, histogram } of one.scopeMetrics.flatMap((scope) => scope.metrics))
            for (const found of [
              ...(sum ?? gauge ?? { dataPoints: [] }).dataPoints,
              ...(histogram?.dataPoints ?? []),
            ]) {
              const own = plain(found.attributes);
              const key = `${name} ${JSON.stringify(own)}`;
              const number = 'asDouble' in found ? found.asDouble : undefined;
              const before = last.get(key);
              if (sum && before?.value !== undefined && number! < before.value) falls++;
              const counts = 'bucketCounts' in found ? found : undefined;
              last.set(key, { name, unit, attributes: own, value: number, histogram: counts });
            }
        }
      return { resource, last: [...last.values()], falls };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

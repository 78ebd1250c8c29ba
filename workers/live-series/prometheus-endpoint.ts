import { createServer } from 'node:http';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { DynoError, toErrorData } from '#model/error.ts';
import { formatAddress, isThisMachine, type ListenAddress } from './addresses.ts';
import { withPrometheusNames } from './metric-data.ts';

/** The series as they are, and a number that rises with each change. */
interface Current {
  readonly version: number;
  read(): ResourceMetrics;
}

/** More connections than Prometheus' servers and a curious user need; a flood of them must not slow a run. */
const mostConnections = 16;

/**
 * Serves the series of the run for Prometheus, at /metrics. `current` returns null before the first run. Throws
 * 'badInput' if the address cannot be used.
 */
export async function openPrometheusEndpoint(
  address: ListenAddress,
  current: () => Current | null,
): Promise<AsyncDisposable> {
  // Attributes of the run are labels of each series here, because scraped series share one job and instance.
  const serializer = new PrometheusSerializer(undefined, false, /^dyno\./, false, true);
  let made: { readonly of: Current; readonly version: number; readonly text: string } | null = null;
  const text = (): string => {
    const now = current();
    if (now === null) return '';
    if (made?.of !== now || made.version !== now.version)
      made = { of: now, version: now.version, text: serializer.serialize(withPrometheusNames(now.read())) };
    return made.text;
  };
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && /^\/metrics(\?|$)/.test(request.url ?? '');
    // A page of a browser can make its own name lead to this machine, but cannot send another name as the host.
    const isOwn =
      !isThisMachine(address.host) ||
      isThisMachine(URL.parse(`http://${request.headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '');
    if (!isAsked || !isOwn) {
      response.writeHead(isAsked ? 403 : 404).end();
      return;
    }
    try {
      const page = text();
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(page);
    } catch {
      response.writeHead(500).end(); // A defect here must not end the run.
    }
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(address, error)));
    server.listen(address.port, address.host, () => resolve());
  });
  // The run ends when it is over, and not when the last scrape is.
  server.unref();
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function cannotListen(address: ListenAddress, error: Error): DynoError {
  const { code, message } = toErrorData(error);
  const why = code === 'EADDRINUSE' ? 'another program listens there.' : message;
  return new DynoError('badInput', `--prometheus cannot listen at ${formatAddress(address)}: ${why}`, {
    code,
    hint: 'Name another port.',
  });
}

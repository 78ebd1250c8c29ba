import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { JsonMetricsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { DynoError, toErrorData } from '#model/error.ts';
import { many } from '#model/format/plural.ts';

/** Points of a moment, and their number. */
export interface Batch {
  readonly metrics: ResourceMetrics;
  readonly points: number;
}

/** Sends points to a collector, and never makes its caller wait for it. */
interface OtlpSender {
  /**
   * Sends a batch, or lets it wait for the answer to the batch before. Only one batch waits: the next one takes its
   * place, and its points are lost.
   */
  send(batch: Batch): void;
  /** Waits for the last answer, for a short time, and says how many points were sent and lost. */
  end(): Promise<void>;
}

/** A collector that takes longer than this to answer is given up for this batch, in ms. */
const answerWithinMs = 3_000;
/** Time that the end of a command waits for the collector at most, in ms. */
const endWithinMs = 3_000;
/** The most of an answer that is read; OTLP's answers have a few words. */
const mostAnswerBytes = 64 * 1_024;

/**
 * `url`: the whole address. `say`: tells the user. Throws 'badInput' if a file that the environment names cannot be
 * read. OpenTelemetry's exporters are not used, because their repeated attempts outlive the end of a run.
 */
export function openOtlpSender(url: string, say: (text: string) => void): OtlpSender {
  const post = poster(url);
  const ended = new AbortController();
  let [sent, lost] = [0, 0];
  let waiting: Batch | null = null;
  let underWay: Promise<void> | null = null;
  let hasComplained = false;

  const complain = ({ why, hint }: Reason) => {
    if (hasComplained) return;
    hasComplained = true;
    say(`live series: ${url} ${why} The run goes on; points are lost until this is mended.\n  try: ${hint}`);
  };
  /** Posts a batch, and then those that have come to wait. Never rejects. */
  async function work(first: Batch): Promise<void> {
    for (let batch: Batch | null = first; batch !== null; ) {
      try {
        const refused = await post(batch, AbortSignal.any([ended.signal, AbortSignal.timeout(answerWithinMs)]));
        sent += batch.points - refused;
        lost += refused;
        if (refused > 0) complain(refusedSome);
      } catch (thrown) {
        lost += batch.points;
        if (!ended.signal.aborted) complain(reasonOf(thrown));
      }
      batch = waiting;
      waiting = null;
    }
    underWay = null;
  }
  return {
    send(batch) {
      if (underWay === null) {
        underWay = work(batch);
        return;
      }
      lost += waiting?.points ?? 0;
      waiting = batch;
    },
    async end() {
      const late = setTimeout(() => ended.abort(), endWithinMs);
      await underWay;
      clearTimeout(late);
      post.close();
      say(`live series: ${many(sent, 'point')} sent to ${url}${lost > 0 ? `, ${many(lost, 'point')} lost` : ''}`);
    },
  };
}

/** The value of OpenTelemetry's variable for metrics, else of its variable for everything. */
const variable = (name: string): string | undefined =>
  process.env[`OTEL_EXPORTER_OTLP_METRICS_${name}`] || process.env[`OTEL_EXPORTER_OTLP_${name}`] || undefined;

/** The collector's answer, where it is not a success. */
class HttpStatus extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** Makes the function that posts a batch and resolves to the number of points that the collector has refused. */
function poster(url: string) {
  const isJson = variable('PROTOCOL') === 'http/json';
  const serializer = isJson ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const isSmall = variable('COMPRESSION') === 'gzip';
  const headers = {
    ...parseKeyPairsIntoRecord(process.env.OTEL_EXPORTER_OTLP_HEADERS),
    ...parseKeyPairsIntoRecord(process.env.OTEL_EXPORTER_OTLP_METRICS_HEADERS),
    'content-type': isJson ? 'application/json' : 'application/x-protobuf',
    ...(isSmall && { 'content-encoding': 'gzip' }),
  };
  const { request, Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, ...tlsFiles() });

  const answerTo = (body: Uint8Array, signal: AbortSignal): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const asked = request(url, { method: 'POST', headers, agent, signal }, (response) => {
        const { statusCode: status = 0 } = response;
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('error', reject);
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > mostAnswerBytes) asked.destroy(new HttpStatus(status));
          parts.push(part);
        });
        response.on('end', () => {
          if (status >= 200 && status <= 299) resolve(Buffer.concat(parts));
          else reject(new HttpStatus(status));
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });

  const post = async ({ metrics, points }: Batch, signal: AbortSignal): Promise<number> => {
    const body = serializer.serializeRequest(metrics) ?? new Uint8Array();
    const answer = await answerTo(isSmall ? await promisify(gzip)(body) : body, signal);
    // The collector may answer any number.
    return Math.min(Math.max(refusedIn(answer), 0), points);
  };
  const refusedIn = (answer: Uint8Array): number => {
    try {
      const { partialSuccess } = serializer.deserializeResponse(answer);
      return Number(partialSuccess?.rejectedDataPoints ?? 0) || 0;
    } catch {
      return 0; // A success whose body is no message of OTLP, such as an empty JSON text.
    }
  };
  return Object.assign(post, { close: () => agent.destroy() });
}

/** The files of OpenTelemetry's variables for TLS. */
function tlsFiles(): { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer } {
  const read = (name: string): Buffer | undefined => {
    const file = variable(name);
    if (file === undefined) return undefined;
    try {
      return readFileSync(file);
    } catch (thrown) {
      throw new DynoError('badInput', `OTEL_EXPORTER_OTLP_${name}: ${toErrorData(thrown).message}`);
    }
  };
  const [ca, cert, key] = [read('CERTIFICATE'), read('CLIENT_CERTIFICATE'), read('CLIENT_KEY')];
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/** Why points were not taken, after the address; and what to do. */
interface Reason {
  readonly why: string;
  readonly hint: string;
}

const refusedSome: Reason = {
  why: 'refused some of the points.',
  hint: 'Look at the log of the collector.',
};

/** A status of HTTP, or a code of the system. The collector's own words stay out. */
function reasonOf(thrown: unknown): Reason {
  if (thrown instanceof HttpStatus) {
    const { status } = thrown;
    return status === 401 || status === 403
      ? {
          why: `refused the points (HTTP ${status}).`,
          hint: 'Put its token into the variable OTEL_EXPORTER_OTLP_HEADERS: Authorization=Bearer%20TOKEN',
        }
      : {
          why: `answered with HTTP ${status}.`,
          hint: 'Look at the log of the collector. --otlp takes the address before /v1/metrics.',
        };
  }
  const { kind, code } = toErrorData(thrown);
  if (kind === 'cancelled' || (thrown instanceof Error && thrown.name === 'TimeoutError'))
    return {
      why: `did not answer within ${answerWithinMs / 1_000} s.`,
      hint: 'Look at the load of the collector, or leave --otlp out.',
    };
  return {
    why: `cannot be reached${code === null ? '' : ` (${code})`}.`,
    hint: 'Start the collector, or correct the address of --otlp.',
  };
}

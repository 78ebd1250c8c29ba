import type { StopSignal } from '#engine-api/stop-signal.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { connectingError } from '../../shared/connecting.ts';
import { limitLogin } from '../../shared/login-limit.ts';
import { config as parser, type RavenConfig, urlsOf } from '../config.ts';
import { toError } from '../errors.ts';
import type { RavenOptions } from '../options.ts';
import { noJson } from './http-command.ts';
import { type Link, openLink } from './link.ts';
import { tlsOptions } from './tls.ts';

interface ConnectOptions {
  readonly tag: string;
  readonly options: RavenOptions;
  readonly signal?: StopSignal;
  /** The node to connect to. Absent: the first of the target's nodes that answers. */
  readonly url?: string;
}

export interface Connected {
  readonly link: Link;
  readonly url: string;
  /** The version: "7.2.6". */
  readonly version: string;
}

/** A connection over which the server has reported its version and accepted the certificate. */
export async function connect(config: RavenConfig, { tag, options, signal, url }: ConnectOptions): Promise<Connected> {
  const tls = tlsOptions(config);
  const errors: unknown[] = [];
  for (const one of url === undefined ? urlsOf(config) : [url]) {
    signal?.throwIfAborted();
    const { database, via } = config;
    const link = openLink({ url: one, via: via?.[one] ?? null, database, tls, tag, compression: options.compression });
    try {
      return { link, url: one, version: await greet(link, config.connectTimeoutMs, signal) };
    } catch (error) {
      link.close();
      signal?.throwIfAborted();
      errors.push(error);
    }
  }
  throw connectingError(parser.describe(config).address, null, reachedNobody(toError(errors[0])));
}

/** Reads the version, which every client may read, then the databases, which need an accepted certificate. */
async function greet(link: Link, timeoutMs: number, signal: StopSignal | undefined): Promise<string> {
  const stop = () => link.stop();
  signal?.addEventListener('abort', stop);
  try {
    const ask = async () => {
      const version = versionIn(await link.ask({ path: '/build/version', ofServer: true }));
      checkAge(version);
      await link.ask({ path: '/databases?namesOnly=true&pageSize=1', ofServer: true });
      return version;
    };
    // This is the only time limit here.
    return await limitLogin(timeoutMs, ask, 0);
  } catch (error) {
    throw toError(error).code === noJson ? notRavenDb() : error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function versionIn(build: unknown): string {
  const { FullVersion: version } = (build ?? {}) as { readonly FullVersion?: unknown };
  if (typeof version === 'string') return version;
  throw notRavenDb();
}

const notRavenDb = (): DynoError =>
  new DynoError('unreachable', 'What answers there is not RavenDB.', {
    hint: 'Check host and port of the target’s url.',
  });

/**
 * The driver's maker supports servers from the driver's own version on. Of 4.1 the driver reads no streams, and all
 * documents of a range instead of its first ones.
 */
const leastMajor = 5;

function checkAge(version: string): void {
  if (Number.parseInt(version, 10) >= leastMajor) return;
  throw new DynoError('unsupported', `This is RavenDB ${version}, whose answers the driver takes for others.`, {
    hint: `RavenDB ${leastMajor} and later are spoken to; the driver is made for 7.2 and later.`,
  });
}

/** A connection that is lost here has not reached the server. */
function reachedNobody(data: ErrorData): ErrorData {
  if (data.kind !== 'serverGone') return data;
  return {
    ...data,
    kind: 'unreachable',
    hint: 'The server closed the connection at once: it may want https, or not be RavenDB.',
  };
}

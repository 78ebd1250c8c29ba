import { connect as connectDrda, type DrdaConnection } from '#drda/index.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import type { ErrorKind } from '#model/error.ts';
import { connectingError } from '../../shared/connecting.ts';
import { checkedAs, tlsOptions } from '../../shared/tls.ts';
import { type DrdaConfig, config as parser } from '../config.ts';
import { maxParameters } from '../descriptor.ts';
import { toError } from '../errors.ts';

/** One connection, marked by `tag` (EXTNAM, which Derby's log shows). */
export async function connect(config: DrdaConfig, tag: string, signal?: StopSignal): Promise<DrdaConnection> {
  signal?.throwIfAborted();
  const { host, port, via = { host, port }, database, user, password, security, connectTimeoutMs } = config;
  try {
    const tls = tlsOptions(config.ssl, config.ca);
    return await connectDrda({
      ...via,
      database,
      user,
      password,
      security,
      tls: tls && { ...tls, ...checkedAs(host) },
      connectTimeoutMs,
      externalName: tag,
      limits: { columns: maxParameters },
      ...(signal && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const data = toError(error);
    // A server that does not answer, closes the connection or answers something else may be no DRDA server, or one with
    // TLS.
    const kind = noServer.includes(data.kind) ? 'unreachable' : data.kind;
    throw connectingError(parser.describe(config).address, user, { ...data, kind });
  }
}

const noServer: readonly ErrorKind[] = ['timeout', 'serverGone', 'other'];

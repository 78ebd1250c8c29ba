import { connect as connectDrda, type DrdaConnection } from '#drda/index.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { DynoError, type ErrorKind } from '#model/error.ts';
import { connectingError } from '../../shared/connecting.ts';
import { checkedAs, tlsOptions } from '../../shared/tls.ts';
import { type DrdaConfig, config as parser } from '../config.ts';
import { maxParameters } from '../descriptor.ts';
import { derby } from '../dialects/derby.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { sqlfire } from '../dialects/sqlfire.ts';
import { toError } from '../errors.ts';
import { query } from '../statements/query.ts';

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

/**
 * The target's, or what the server shows: all of them call themselves Apache Derby. SQLFire left Derby at its release
 * 10.4, and none of Derby's has the view SYS.MEMBERS.
 */
export async function dialectOf(connection: DrdaConnection, { dialect }: DrdaConfig): Promise<Dialect> {
  if (dialect !== 'auto') return dialect === 'derby' ? derby : sqlfire;
  try {
    await query(connection, 'SELECT ID FROM SYS.MEMBERS');
    return sqlfire;
  } catch (error) {
    const { code } = toError(error);
    if (code !== noSuchTable) throw error;
  }
  const { className } = connection.server;
  if (/derby/i.test(className)) return derby;
  throw new DynoError(
    'unsupported',
    `The server is neither Derby nor of SQLFire’s family: it calls itself ${className}.`,
    { hint: 'Where it is one of them all the same, set the target’s dialect.' },
  );
}

const noSuchTable = '42X05';

import { Connection } from 'tedious';
import type { SqlServerConfig } from './config.ts';

/** The peer of the benchmarks: `tedious` by its own calls, with our packet size and TCP_NODELAY. */
const packetSize = 32_767;

const network = ({ port, database, encrypt, trustServerCertificate }: SqlServerConfig) => ({
  ...(port === null ? {} : { port }),
  ...(database === null ? {} : { database }),
  encrypt: encrypt === 'true',
  trustServerCertificate,
  requestTimeout: 0,
  packetSize,
});

export function tediousOf(config: SqlServerConfig): Promise<Connection> {
  const connection = new Connection({
    server: config.host,
    authentication: { type: 'default', options: { userName: config.user, password: config.password ?? '' } },
    options: network(config),
  });
  return new Promise((resolve, reject) => {
    connection.connect((error) => {
      if (error) return reject(error);
      connection.socket?.setNoDelay(true);
      resolve(connection);
    });
  });
}

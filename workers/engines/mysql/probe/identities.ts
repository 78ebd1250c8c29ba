import { identitiesOf } from '../../shared/identities.ts';
import type { MysqlConnection } from '../connection/connection.ts';

/** Variables that no two servers share, except members of one group. */
const own = ['server_uuid', 'server_uid', 'group_replication_group_name'];

/**
 * Reads MySQL's server_uuid and MariaDB's server_uid, and those of a group or a Galera cluster, whose members are one
 * server. Older versions of MariaDB have neither: then the server's host, port and folder identify it.
 */
export const identities = (connection: MysqlConnection): Promise<readonly string[]> => {
  const pairs = async (sql: string) =>
    new Map((await connection.query(sql)).rows?.map(([n, v]) => [String(n), String(v)]));
  return identitiesOf([
    async () => {
      const names = [...own, 'hostname', 'port', 'datadir'].map((name) => `'${name}'`).join(', ');
      const values = await pairs(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`);
      const found = own.map((name) => values.get(name) && `${name} ${values.get(name)}`);
      const place = `${values.get('hostname')} ${values.get('port')} ${values.get('datadir')}`;
      return values.get('server_uuid') || values.get('server_uid')
        ? found
        : [...found, values.get('hostname') && place];
    },
    async () => {
      const cluster = (await pairs("SHOW GLOBAL STATUS LIKE 'wsrep_cluster_state_uuid'")).get(
        'wsrep_cluster_state_uuid',
      );
      return [cluster && /[1-9a-f]/.test(cluster) ? `cluster ${cluster}` : null];
    },
  ]);
};

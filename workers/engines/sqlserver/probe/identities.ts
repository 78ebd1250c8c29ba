import type { Connection } from 'tedious';
import { identitiesOf } from '../../shared/identities.ts';
import { query } from '../wire/request.ts';

const name = "CAST(SERVERPROPERTY('ServerName') AS nvarchar(256))";

/** Each query returns texts, as `id`. */
const identityQueries = {
  // Copies of one image share msdb, but have different names.
  instance: `SELECT ${name} + ' ' + CAST(service_broker_guid AS nvarchar(64)) AS id FROM sys.databases WHERE name = 'msdb'`,
  // tempdb is created anew at each start.
  start: `SELECT ${name} + ' ' + CONVERT(nvarchar(40), create_date, 126) AS id FROM sys.databases WHERE name = 'tempdb'`,
  // The replicas of an availability group are one server, to which its listener leads.
  group: 'SELECT CAST(group_id AS nvarchar(64)) AS id FROM sys.availability_groups',
} as const;

/** The instance, the time of its start, and its availability groups. */
export const identities = (connection: Connection): Promise<readonly string[]> =>
  identitiesOf(
    Object.entries(identityQueries).map(
      ([kind, sql]) =>
        async () =>
          (await query<{ id: string | null }>(connection, sql)).map(({ id }) => id && `${kind} ${id}`),
    ),
  );

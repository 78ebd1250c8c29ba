import { derbyVersions } from './products/derby.ts';
import type { Installable } from './products/installable.ts';
import { mariadbVersions } from './products/mariadb-versions.ts';
import { mongod } from './products/mongod.ts';
import { natsServer } from './products/nats-server.ts';
import { postgresVersions } from './products/postgres-versions.ts';
import { seerdb, sqlfluff } from './products/python.ts';
import { ravendb } from './products/ravendb.ts';
import { snappydata } from './products/snappydata.ts';

/** Everything that `dyno servers install` can fetch. */
export const installables: readonly Installable[] = [
  ...[mongod, ravendb, seerdb, sqlfluff, snappydata, natsServer],
  ...[...derbyVersions, ...postgresVersions, ...mariadbVersions],
];

import type { Connection } from 'tedious';
import type { Collation } from '../wire/tds.ts';

/** The collation of the session's database, which the driver learns at login. */
export const collationOf = (connection: Connection): Collation =>
  connection.databaseCollation?.toBuffer() ?? Buffer.alloc(5);

import type { Connection } from 'tedious';
import type { Collation } from '../wire/tds.ts';

/** Texts of the database that the session is in; the driver learns it at login. */
export const collationOf = (connection: Connection): Collation =>
  connection.databaseCollation?.toBuffer() ?? Buffer.alloc(5);

import { readerScript } from '../shared/reader-script.ts';
import { quote } from './names.ts';

/** The least rights that a user for Dyno needs (MySQL manual, "Privileges Provided by MySQL"; MariaDB, "GRANT"). */
export function grants({ user, database }: { readonly user: string; readonly database: string }): string {
  const account = `${quote(user)}@'%'`;
  const name = quote(database);
  // In grants _ and % of a database's name stand for any character.
  const exactly = quote(database.replaceAll(/[_%]/g, '\\$&'));
  return `-- Run as an administrator. For MySQL 5.7 and later, and MariaDB 10.4 and later. Instead of '%' name the hosts that Dyno runs on.
-- It can be run again: an account that is there keeps its password and is not locked.
CREATE USER IF NOT EXISTS ${account} ACCOUNT LOCK;
-- Then set the password where it is in no script, and unlock: ALTER USER ${account} IDENTIFIED BY '…' ACCOUNT UNLOCK;
-- Dyno keeps its tables in ${name} and creates it where it is not there.
GRANT CREATE, DROP, SELECT, INSERT, UPDATE, DELETE ON ${exactly}.* TO ${account};
-- Indexes, keys that are added after the load, foreign keys.
GRANT INDEX, ALTER, REFERENCES ON ${exactly}.* TO ${account};
-- For the method serverLoop: a stored procedure beside each table.
GRANT CREATE ROUTINE, ALTER ROUTINE, EXECUTE ON ${exactly}.* TO ${account};
-- For views and triggers of \`setup\`; its functions and procedures need the rights above.
GRANT CREATE VIEW, SHOW VIEW, TRIGGER ON ${exactly}.* TO ${account};
-- Writing a loaded table out before the clock starts, so that trials begin alike (FLUSH TABLES … FOR EXPORT). MySQL 8.0.23 and later: FLUSH_TABLES instead of RELOAD.
GRANT LOCK TABLES ON ${exactly}.* TO ${account};
GRANT RELOAD ON *.* TO ${account};
-- Sessions that wait for row locks (information_schema.innodb_trx); without it they are listed as unavailable.
GRANT PROCESS ON *.* TO ${account};
-- Time in file I/O, where performance_schema is on.
GRANT SELECT ON performance_schema.* TO ${account};
-- The size of each index; without it only the size of all indexes of a table is known.
GRANT SELECT ON mysql.innodb_index_stats TO ${account};
-- The method bulk (LOAD DATA LOCAL) needs no right, but the server’s consent: SET GLOBAL local_infile = ON;
-- Afterwards, everything of Dyno goes by: DROP DATABASE ${name}; DROP USER ${account};
${readerScript(
  [
    `CREATE USER IF NOT EXISTS ${account} ACCOUNT LOCK;`,
    `GRANT SELECT, SHOW VIEW ON ${exactly}.* TO ${account};`,
    `GRANT PROCESS ON *.* TO ${account};`,
    `GRANT SELECT ON performance_schema.* TO ${account};`,
  ],
  'It needs these statements alone, the second for each database that is read; set its password as above.',
)}`;
}

import { readerScript } from '../shared/reader-script.ts';
import { schemaName, textLiteral } from './names.ts';

/**
 * The least rights that a user for Dyno needs (Derby's reference manual, "GRANT statement" and
 * "derby.database.sqlAuthorization"; GemFire XD's manual, "Configuring User Authentication and Authorization"). The
 * script covers both products, because Dyno knows the product only after it has connected.
 */
export function grants({ user, dialect }: { readonly user: string; readonly dialect: string }): string {
  const name = identifier(user);
  const parts = [
    ...(dialect === 'sqlfire' ? [] : [derby(user, name)]),
    ...(dialect === 'derby' ? [] : [family(user, name)]),
  ];
  return parts.join('\n');
}

/** A user's name as GRANT takes it: as it was given at login; a plain word in capitals. */
const identifier = (user: string): string => (isPlain(user) ? catalogUser(user) : `"${user.replaceAll('"', '""')}"`);

const isPlain = (user: string): boolean => /^[a-z][a-z0-9_]*$/i.test(user);

/** The name as the catalog has it. */
const catalogUser = (user: string): string => (isPlain(user) ? user.toUpperCase() : user);

const derby = (
  user: string,
  name: string,
): string => `-- Apache Derby. Run as the database's owner, in ij. Run again, it goes on behind the error that the schema is there.
-- Who the user is: with NATIVE authentication, CALL SYSCS_UTIL.SYSCS_CREATE_USER(${textLiteral(user)}, …) with a password that is in no
-- script; with BUILTIN, the property derby.user.${user}; or in your LDAP directory.
-- Where derby.database.sqlAuthorization is not on, every user may do all of this, and no more is needed.
CREATE SCHEMA ${schemaName} AUTHORIZATION ${name};  -- Dyno keeps its tables there; what a user owns needs no GRANT
-- Checkpoints and statistics before the clock, so that trials begin alike.
GRANT EXECUTE ON PROCEDURE SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE TO ${name};
-- Settings for the fingerprint: durability, page cache, lock time-outs.
GRANT EXECUTE ON FUNCTION SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY TO ${name};
-- Transactions of all sessions (SYSCS_DIAG.TRANSACTION_TABLE) are visible to the database's owner alone, and cannot be granted: give Dyno the
-- owner's login as diagnosticsUser besides, or they are listed as unavailable. Statements of experiments never run as that one.
-- Who owns a schema may declare any static method of Java as a routine. Dyno runs no such statement of an experiment.
-- Afterwards: drop the tables in ${schemaName}, then DROP SCHEMA ${schemaName} RESTRICT;
${readerScript(
  [
    `CALL SYSCS_UTIL.SYSCS_SET_USER_ACCESS(${textLiteral(catalogUser(user))}, 'READONLYACCESS');`,
    `GRANT EXECUTE ON FUNCTION SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY TO ${name};`,
  ],
  'It needs these statements, and SELECT on each table that is read (GRANT SELECT ON TABLE …).',
)}`;

const family = (
  user: string,
  name: string,
): string => `-- SQLFire, GemFire XD, SnappyData. Run as a system user. Run again, it goes on behind errors that user and schema are there.
CALL SYS.CREATE_USER(${textLiteral(user)}, …);  -- BUILTIN authentication; with a password that is in no script
CREATE SCHEMA ${schemaName} AUTHORIZATION ${name};  -- Dyno keeps its tables there; what a user owns needs no GRANT
-- Members, sessions and memory are in views of SYS that every user may read.
-- Afterwards: drop the tables in ${schemaName}, then DROP SCHEMA ${schemaName} RESTRICT;
`;

import { readerScript } from '../shared/reader-script.ts';
import { sources, waitsView } from './probe/probe-sources.ts';
import { planViews } from './statements/plan-sources.ts';

/** Views of the fingerprint, as GRANT takes them: the V_$ view behind each V$ synonym. */
export const fingerprintViews = ['v$parameter', 'v$database', 'v$log'] as const;

const granted = (view: string): string => `SYS.${view.toUpperCase().replace('V$', 'V_$')}`;

/** The grant that allows reading a view of the server's counters. */
export const grantOf = (view: string, user: string): string => `GRANT SELECT ON ${granted(view)} TO ${grantee(user)}`;

/** The user's name as the dictionary has it: a name without quotes is upper-case. */
const grantee = (user: string): string =>
  /^[a-z][a-z0-9_$#]*$/i.test(user) ? user.toUpperCase() : `"${user.replaceAll('"', '')}"`;

/** The least rights that a user for Dyno needs (SQL Language Reference, "CREATE USER" and "GRANT"). */
export function grants({ user }: { readonly user: string }): string {
  const name = grantee(user);
  const views = [
    ...new Set([...sources.flatMap((source) => source.views), waitsView, ...fingerprintViews, ...planViews]),
  ];
  return `-- Run as SYS (AS SYSDBA) in the database (the PDB) that Dyno is to use, with SQL*Plus or SQLcl; ACCEPT asks for the password, so that
-- it is in no script. It can be run again.
SET VERIFY OFF
ACCEPT dyno_password CHAR PROMPT 'Password of ${name}: ' HIDE
BEGIN
  EXECUTE IMMEDIATE q'[CREATE USER ${name} IDENTIFIED BY "&dyno_password" DEFAULT TABLESPACE users QUOTA UNLIMITED ON users]';
EXCEPTION
  WHEN OTHERS THEN IF SQLCODE <> -1920 THEN RAISE; END IF;  -- ORA-01920: the user is there
END;
/
GRANT CREATE SESSION TO ${name};
GRANT CREATE TABLE TO ${name};  -- Dyno keeps its tables (DYNO_…) in this user's own schema
-- Server counters, waits, settings and query plans; what is not granted is listed as unavailable. None of them needs the Diagnostics Pack.
${views.map((view) => `${grantOf(view, user)};`).join('\n')}
-- Optional: a checkpoint before the clock starts, so that trials begin alike, and an empty buffer cache (cache: cold), only while no sessions
-- but the run's are there, as SYS.V_$SESSION shows. ALTER SYSTEM is a right over the whole database.
-- GRANT ALTER SYSTEM TO ${name};
-- Afterwards, when dyno clean has dropped Dyno's tables: DROP USER ${name};
${readerScript(
  [`GRANT CREATE SESSION TO ${name};`, `GRANT READ ANY TABLE TO ${name};`],
  'Make it as above without a QUOTA, grant it the views above, and of the rest these alone; or READ on the tables that are read.',
)}`;
}

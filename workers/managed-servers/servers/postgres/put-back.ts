/**
 * Reverts, at each start, the changes that an experiment's statement can make for sessions of later runs without any
 * right, and reports them: settings of roles and databases, default privileges, and code that the search path finds. A
 * role may set its own settings, also for one database alone, and a schema's owner may fill it. Tables stay. It is one
 * DO statement for single-user mode, and so has no empty line. It runs in the database of the user.
 */
export const putBackSql = `DO $dyno$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT r.rolname, d.datname, s.setconfig::text AS config
      FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase
  LOOP
    EXECUTE CASE
      WHEN one.rolname IS NULL THEN format('ALTER DATABASE %I RESET ALL', one.datname)
      WHEN one.datname IS NULL THEN format('ALTER ROLE %I RESET ALL', one.rolname)
      ELSE format('ALTER ROLE %I IN DATABASE %I RESET ALL', one.rolname, one.datname) END;
    RAISE LOG 'dyno put back: settings of % %', concat_ws(' in ', one.rolname, one.datname), one.config;
  END LOOP;
  IF EXISTS (SELECT FROM pg_default_acl) THEN
    DELETE FROM pg_shdepend WHERE classid = 'pg_default_acl'::regclass
       AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database());
    DELETE FROM pg_depend WHERE classid = 'pg_default_acl'::regclass;
    DELETE FROM pg_default_acl;
    RAISE LOG 'dyno put back: default privileges';
  END IF;
  FOR one IN
    SELECT 'routine ' || p.oid::regprocedure AS name, format('DROP ROUTINE %s CASCADE', p.oid::regprocedure) AS removal
      FROM pg_proc p WHERE p.pronamespace = to_regnamespace('dyno')
    UNION ALL
    SELECT 'operator ' || o.oid::regoperator, format('DROP OPERATOR %s CASCADE',
           format('%I.%s (%s, %s)', n.nspname, o.oprname, CASE o.oprleft WHEN 0 THEN 'NONE' ELSE format_type(o.oprleft, NULL) END,
                  CASE o.oprright WHEN 0 THEN 'NONE' ELSE format_type(o.oprright, NULL) END))
      FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace WHERE n.nspname = 'dyno'
    UNION ALL
    SELECT 'conversion ' || c.conname, format('DROP CONVERSION dyno.%I CASCADE', c.conname)
      FROM pg_conversion c WHERE c.connamespace = to_regnamespace('dyno')
  LOOP
    BEGIN
      EXECUTE one.removal;
      RAISE LOG 'dyno put back: dropped %', one.name;
    EXCEPTION WHEN undefined_function OR undefined_object THEN NULL;
    END;
  END LOOP;
END $dyno$`;

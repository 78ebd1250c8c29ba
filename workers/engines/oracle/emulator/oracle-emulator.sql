-- What Dyno asks of Oracle and the mirror does not have. Run at every start.

-- STANDARD_HASH, for MD5 alone.
CREATE OR REPLACE FUNCTION sys.standard_hash(text, text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS
  $$ SELECT decode(md5(convert_to($1, 'UTF8')), 'hex') $$;
CREATE OR REPLACE FUNCTION sys.standard_hash(bytea, text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS
  $$ SELECT decode(md5($1), 'hex') $$;

-- TO_NUMBER(…, 'XXXXXXXX')
CREATE OR REPLACE FUNCTION sys.dyno_hex(text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS
  $$ SELECT ('x' || $1)::bit(32)::bigint::numeric $$;

CREATE OR REPLACE FUNCTION sys.sys_guid() RETURNS bytea LANGUAGE sql VOLATILE AS
  $$ SELECT uuid_send(gen_random_uuid()) $$;

CREATE OR REPLACE VIEW sys.user_tab_comments AS
  SELECT c.relname::text AS table_name, CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS table_type,
         obj_description(c.oid, 'pg_class') AS comments
    FROM pg_class c WHERE c.relkind IN ('r', 'v') AND c.relnamespace = current_schema()::regnamespace;

CREATE OR REPLACE VIEW sys.user_segments AS
  SELECT c.relname::text AS segment_name, CASE c.relkind WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END AS segment_type,
         (CASE c.relkind WHEN 'i' THEN pg_relation_size(c.oid) ELSE pg_table_size(c.oid) END)::numeric AS bytes
    FROM pg_class c WHERE c.relkind IN ('r', 'i') AND c.relnamespace = current_schema()::regnamespace;

CREATE OR REPLACE VIEW sys.user_lobs AS
  SELECT NULL::text AS table_name, NULL::text AS segment_name, NULL::text AS index_name WHERE false;

-- Commits and rollbacks mean the same on both; other statistics have no counterpart and are not made up.
CREATE OR REPLACE VIEW sys."v$sysstat" AS
  SELECT s.name, s.value FROM pg_stat_database d,
         LATERAL (VALUES ('user commits', d.xact_commit::numeric), ('user rollbacks', d.xact_rollback::numeric)) AS s(name, value)
   WHERE d.datname = current_database();

DROP VIEW IF EXISTS sys."v$session";
CREATE VIEW sys."v$session" AS
  SELECT a.pid AS sid, sys.ora_serial(a.pid) AS "serial#", coalesce(s.username, upper(a.usename::text)) AS username,
         CASE WHEN a.state = 'active' THEN 'ACTIVE' ELSE 'INACTIVE' END AS status, 'USER'::text AS type,
         s.program, s.machine, s.terminal, s.osuser, NULL::text AS ecid, NULL::text AS module, NULL::text AS action,
         a.backend_start AS logon_time, a.application_name AS client_identifier,
         CASE WHEN a.wait_event IS NULL THEN 'WAITED KNOWN TIME' ELSE 'WAITING' END AS state,
         CASE a.wait_event_type WHEN 'Lock' THEN 'Application' ELSE a.wait_event_type END AS wait_class, a.wait_event AS event, a.pid::text AS taddr,
         b.pid AS blocking_session, CASE WHEN b.pid IS NULL THEN 'NO HOLDER' ELSE 'VALID' END AS blocking_session_status
    FROM pg_stat_activity a LEFT JOIN sys.ora_sessions s ON s.pid = a.pid
         LEFT JOIN LATERAL (SELECT min(pid) AS pid FROM unnest(pg_blocking_pids(a.pid)) AS pid) b ON a.wait_event_type = 'Lock'
   WHERE a.datname = current_database() AND a.backend_type = 'client backend';

CREATE OR REPLACE VIEW sys."v$transaction" AS
  SELECT pid::text AS addr, xact_start::timestamp AS start_date FROM pg_stat_activity WHERE xact_start IS NOT NULL;

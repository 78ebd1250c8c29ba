import type { SessionSettingRules } from '#engine-api/descriptor.ts';

/** The settings of a trial's sessions (manual, "SET" and "Server Configuration"). */
export const sessionSettings: SessionSettingRules = {
  implementation: 'SET; behind a pooler set_config(…, true) in each transaction, with which the setting ends',
  names: '[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?',
  refused: [
    { names: 'role|session_authorization|is_superuser', why: 'It changes who the session is, and so its rights.' },
    {
      names: 'search_path|(default|temp)_tablespaces?|default_table_access_method',
      why: 'It changes which tables a statement means, or where tables are created: set it as sessionSettings of the connection.',
    },
    {
      names: 'session_replication_role',
      why: 'It switches off triggers and foreign keys, so that wrong rows are stored.',
    },
    { names: '(default_)?transaction_isolation', why: 'Use the setting `isolation` of the workload.' },
    {
      names: '(default_)?transaction_(read_only|deferrable)',
      why: 'Sessions of production connections are kept from writing by it.',
    },
    { names: 'application_name', why: 'The names of Dyno’s sessions are in it.' },
    {
      names:
        'client_encoding|names|datestyle|intervalstyle|timezone|time zone|bytea_output|extra_float_digits|lc_.*|xmlbinary|xmloption|array_nulls|quote_all_identifiers|standard_conforming_strings|backslash_quote|escape_string_warning|transform_null_equals|row_security|default_text_search_config',
      why: 'It changes how values and texts are written or read, or which rows a statement sees, and Dyno compares these.',
    },
    {
      names:
        'allow_system_table_mods|zero_damaged_pages|ignore_(checksum_failure|system_indexes|invalid_pages)|allow_in_place_tablespaces|debug_.*|lo_compat_privileges|event_triggers|createrole_self_grant',
      why: 'It can damage the database, or hides that it is damaged.',
    },
    {
      names: '(local|session)_preload_libraries|dynamic_library_path|extension_control_path|jit_provider',
      why: 'It loads libraries into the server.',
    },
    { names: 'seed', why: 'It is the state of random(), no setting.' },
  ],
};

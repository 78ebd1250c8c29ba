/** Settings of a server's session: values as texts by the server's own names. Example: `{ work_mem: '64MB' }`. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The name under which trials report the TLS of their sessions, beside settings of the server. */
export const tlsSetting = 'TLS';

/** The values that a server reports for settings of a session. Null: it does not tell the value. */
export type ReportedSettings = Readonly<Record<string, string | null>>;

/** The forms by which a text is recognised as a connection string of any engine. */
const forms: readonly RegExp[] = [
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^(jdbc|r2dbc):/i,
  /^(mysql|pgsql|sqlsrv|oci):\s*\w+\s*=/i,
  // NAME=VALUE;NAME=VALUE, and libpq's name=value name=value.
  /(^|;)\s*(server|data ?source|host|hostname|address|addr|driver|dsn|user ?id|uid|initial ?catalog|database)\s*=[^;]*;/i,
  /^(host|hostaddr|dbname|user|port|service|password)\s*=\s*('|\S+(\s+[a-z_]+\s*=|\s*$))/i,
  // The forms of Go's MySQL driver and of Oracle.
  /@(tcp[46]?|unix)\([^()]*\)\//i,
  /^[\w$#]{1,128}\/.*@(\/\/)?([\w.-]+(:\d{1,5})?\/[\w.$#-]+|[\w.-]+:\d{1,5}:\w+|\(\s*description)/i,
  /^\/\/[\w.-]+:\d{1,5}\/[\w.$#-]+$/,
  /^\(\s*description\s*=/i,
];

/** True for a text that looks like a URL or another connection string. */
export const looksLikeConnectionString = (text: string): boolean => forms.some((form) => form.test(text.trim()));

/**
 * True for a word that may hold a password, because it has the marks of connection strings: messages do not repeat it.
 * Plain names and paths of files have none.
 */
export const mayHoldPassword = (word: string): boolean =>
  looksLikeConnectionString(word) || /[@=;]|\S:\S/.test(word.replace(/^[a-z]:\\/i, ''));

/** A word of the command line in a message: quoted, or not repeated where it may hold a password. */
export const namedWord = (word: string): string => (mayHoldPassword(word) ? 'of this name' : `“${word}”`);

import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { withoutBackslashes } from '#model/statements/statement-text.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { statementLanguage } from '../descriptor.ts';

/** Modes that change what a text means (manual, "Server SQL Modes"). */
const meaningful = ['ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES', 'PIPES_AS_CONCAT', 'HIGH_NOT_PRECEDENCE', 'IGNORE_SPACE'];

/**
 * Makes a session read custom statements as the server's other clients have them read, and returns the language that it
 * then reads. If the target's session settings have `sql_mode`, it alone decides.
 */
export async function sessionLanguage(connection: MysqlConnection, isModeGiven: boolean): Promise<StatementLanguage> {
  const { rows } = await connection.query('SELECT @@SESSION.sql_mode, @@GLOBAL.sql_mode');
  const [own, global] = (rows?.[0] ?? []).map((modes) => String(modes ?? '').split(','));
  const missing = meaningful.filter((mode) => global?.includes(mode) && !own?.includes(mode));
  if (isModeGiven || missing.length === 0) return languageOf(own ?? []);
  const modes = [...(own ?? []), ...missing].filter((mode) => mode !== '');
  await connection.query(`SET SESSION sql_mode = '${modes.join(',')}'`);
  return languageOf(modes);
}

/** The language of a session with these modes. Pure. */
function languageOf(modes: readonly string[]): StatementLanguage {
  if (modes.includes('NO_BACKSLASH_ESCAPES')) return withoutBackslashes(statementLanguage);
  if (!modes.includes('ANSI_QUOTES')) return statementLanguage;
  const { quoting = [] } = withoutBackslashes(statementLanguage);
  return { ...statementLanguage, quoting: [...quoting, 'textBackslash'] };
}

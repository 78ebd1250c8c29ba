import { spawn } from 'node:child_process';
import { type Connection, commandOf } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { redact } from '#platform/redact.ts';
import { fieldText } from '#workspace/connections/connection-passwords.ts';
import { type PrintedToken, readPrinted } from './printed-token.ts';

/** A token of a few thousand characters is long; a longer output is not a password. */
const mostBytes = 65_536;
/** A person may have to confirm in a browser or on a device. */
const withinMs = 120_000;

/** True if commands print some of a connection's passwords. */
export const hasCommands = ({ passwords }: Connection): boolean =>
  Object.values(passwords).some((place) => commandOf(place) !== null);

/** The output of a connection's commands. */
export interface Printed {
  /** The passwords by field. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Time at which the first of them expires, in ms since 1970; null if unknown. */
  readonly expiresAt: number | null;
}

/**
 * The passwords that the connection's commands print. They are returned and stored nowhere else. Throws DynoError
 * 'authentication' if a command fails or prints no password, and 'cancelled' on the signal.
 */
export async function printedPasswords(connection: Connection, signal: AbortSignal): Promise<Printed> {
  const passwords: Record<string, string> = {};
  const ends: number[] = [];
  // The commands run one after the other, because each may ask a person.
  for (const [field, place] of Object.entries(connection.passwords)) {
    if (typeof place !== 'object') continue;
    const what = `${fieldText(connection.engine, field)} of “${connection.name}”`;
    const from = Date.now();
    const { password, expiresAt } = await run(place.command, what, signal);
    passwords[field] = password;
    const end = place.validMinutes === undefined ? expiresAt : from + place.validMinutes * 60_000;
    if (end !== null) ends.push(end);
  }
  return { passwords, expiresAt: ends.length === 0 ? null : Math.min(...ends) };
}

async function run(
  [program = '', ...parameters]: readonly string[],
  what: string,
  signal: AbortSignal,
): Promise<PrintedToken> {
  signal.throwIfAborted();
  const failed = (why: string, hint?: string): DynoError =>
    new DynoError('authentication', `The command that prints the ${what} (${program}) ${why}`, {
      hint: hint ?? 'Does the same command print it, and nothing else, in a terminal of this account?',
    });
  const child = spawn(program, parameters, {
    shell: false,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    env: ownEnvironment(),
  });
  // A process that it has started may continue and keep its output open; nobody waits for it.
  const stop = () => {
    child.kill('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const late = setTimeout(stop, withinMs);
  signal.addEventListener('abort', stop, { once: true });
  const output: Buffer[] = [];
  let bytes = 0;
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostBytes) stop();
    else output.push(part);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-1_000);
  });
  try {
    const started = performance.now();
    const ended = await new Promise<{ readonly code: number | null; readonly error: Error | null }>((resolve) => {
      child.once('error', (error) => resolve({ code: null, error }));
      child.once('close', (code) => resolve({ code, error: null }));
    });
    signal.throwIfAborted();
    if (ended.error) throw failed(`cannot be started: ${ended.error.message}`, 'Name the program by its whole path.');
    if (bytes > mostBytes) throw failed(`printed more than ${mostBytes} bytes.`);
    const text = Buffer.concat(output).toString('utf8');
    const token = readPrinted(text);
    const { password } = token;
    if (ended.code === null && performance.now() - started >= withinMs) throw failed('did not end in time.');
    // The command's own message shows what to do. If it contains the password, the password is removed.
    const words = redact(said, [text, password]).trim().split('\n').slice(-3).join(' ');
    if (ended.code !== 0) throw failed(`ended with exit code ${ended.code}${words === '' ? '.' : `: ${words}`}`);
    if (password === '') throw failed('printed nothing.');
    if (/[\r\n\0]/.test(password)) throw failed('printed more than one line.');
    return token;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  }
}

/** The environment of a terminal, without the variables of Dyno's own start, because the command is the user's own. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { LD_LIBRARY_PATH: _, NODE_OPTIONS: __, ELECTRON_RUN_AS_NODE: ___, ...rest } = process.env;
  return { ...rest, ...childEnvironment() };
}

import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { CheckStepName } from '#model/connections.ts';
import { type ErrorData, type ErrorKind, toErrorData } from '#model/error.ts';
import type { Control } from '../worker/control.ts';
import type { ReachedTarget } from '../worker/reach.ts';
import { catalogEntry } from '../worker/targets.ts';
import type { ServerAddress } from './check-network.ts';
import { type ConnectionBoard, stepMs, timed } from './check-steps.ts';
import { whoAnswers } from './who-answers.ts';

/** TLS and login are one call of the driver. The kind of the error shows which of the two failed. */
export async function logIn(
  board: ConnectionBoard,
  control: Control,
  target: ReachedTarget,
  endpoints: readonly ServerAddress[],
  signal: AbortSignal,
): Promise<boolean> {
  const from = performance.now();
  board.set('tls', { state: 'running' });
  const details = Object.entries(target.details).map(([name, value]) => `${name} ${value}`);
  const isAboutTls = (text: string) => /^(ssl|tls|encrypt|trustServer|certificate)/i.test(text);
  const tls = details.filter(isAboutTls).join(', ');
  const tlsWorks = { state: 'ok', detail: tls ? `As the connection says: ${tls}` : 'As the connection says' } as const;
  const noTls = { state: 'skipped', detail: 'No network.' } as const;
  const findsPort = endpoints.length > 0 && endpoints.every(({ port }) => port === null);
  const noPort = { state: 'skipped', detail: 'The driver finds the port out by itself, at login.' } as const;
  try {
    await timed(stepMs, signal, (limit) => control.connect(limit));
    const ms = performance.now() - from;
    if (findsPort) board.set('port', noPort);
    // An SSH tunnel protects the connection against eavesdroppers; a SOCKS proxy does not.
    const { warning: warn } = catalogEntry(control.planned.engine).config;
    const warning = target.tunnel?.kind === 'ssh' ? null : (warn?.(target.config) ?? null);
    const tlsState = warning === null ? tlsWorks : ({ state: 'limited', detail: warning } as const);
    board.set('tls', endpoints.length === 0 ? noTls : tlsState);
    const user = details.filter((text) => /^user /i.test(text)).join('');
    board.set('login', { state: 'ok', ms, detail: user ? `Logged in: ${user}` : 'The target is open' });
    return true;
  } catch (thrown) {
    if (signal.aborted) return false;
    const error = toErrorData(thrown);
    const step = stepOf(error.kind, findsPort);
    if (findsPort && step !== 'port') board.set('port', noPort);
    if (step === 'login' && endpoints.length === 0) board.set('tls', noTls);
    // If the server itself refuses the login, TLS has worked.
    else if (step === 'login' && saidByServer.includes(error.kind)) board.set('tls', tlsWorks);
    else if (step !== 'tls') board.set('tls', { state: 'waiting' });
    board.set(step, {
      state: 'failed',
      error: await withStranger(error, control.descriptor, endpoints, target, signal),
      ms: performance.now() - from,
    });
    return false;
  }
}

const saidByServer: readonly ErrorKind[] = [
  'authentication',
  'permission',
  'connectionLimit',
  'limit',
  'badInput',
  'unsupported',
];

/** A driver that connects to a server of another product may report many different errors. */
async function withStranger(
  error: ErrorData,
  { id, label }: EngineDescriptor,
  endpoints: readonly ServerAddress[],
  { instead }: ReachedTarget,
  signal: AbortSignal,
): Promise<ErrorData> {
  const [first] = endpoints;
  if (!first || first.port === null || refusals.includes(error.kind)) return error;
  const { host, port } = first;
  const found = await whoAnswers(id, instead({ host, port }), signal);
  if (found.is === 'itself' || found.is === 'nobody') return error;
  if (found.is === 'stranger')
    return {
      ...error,
      message: `${host}, port ${port} is answered by ${found.name}, not by ${label}: ${error.message}`,
      hint: `Is it the port of another service? Correct host and port of the target, or start ${label} there.`,
    };
  if (saidByServer.includes(error.kind)) return error;
  const how = {
    silent: 'Something accepts connections there, and says nothing',
    hangsUp: 'Something accepts connections there, and closes them at once',
    unknown: 'Something answers there',
  }[found.is];
  const hint = `${how}: not as ${label} does. Is it the port of another service, or a firewall or proxy in between?`;
  return { ...error, hint: error.hint === null ? hint : `${hint} If it is ${label}: ${error.hint}` };
}

/** A server that sends one of these answers has understood the driver's protocol. */
const refusals: readonly ErrorKind[] = ['authentication', 'permission', 'connectionLimit', 'limit'];

/** An 'unreachable' from the driver is about the port only if the port could not be tested before. */
function stepOf(kind: ErrorKind, findsPort: boolean): CheckStepName {
  if (kind === 'tls') return 'tls';
  return kind === 'unreachable' && findsPort ? 'port' : 'login';
}

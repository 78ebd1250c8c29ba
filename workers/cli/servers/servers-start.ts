import { type ConnectionInfo, createConnectionInfo, secretFields } from '#managed-servers/connection-info.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { type HeldServer, holdServer } from '#managed-servers/supervisor-client.ts';
import { type ErrorData, toErrorData } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { CommandContext } from '../command.ts';
import { terminalErrorText } from '../dispatch.ts';
import { onInterrupt } from '../interrupt.ts';

interface Started {
  readonly kind: ServerKind;
  readonly held: HeldServer | null;
  readonly error: ErrorData | null;
}

/** Runs servers until Ctrl-C, or until the last of them stops. If one cannot start, the others run. */
export async function startServers(context: CommandContext, chosen: readonly ServerKind[]): Promise<number> {
  const { home, values, print, printJson, note, positionals } = context;
  const stop = new AbortController();
  using _ = onInterrupt(() => stop.abort());
  const started = await Promise.all(chosen.map((kind) => start(context, kind, stop.signal)));
  const running = started.flatMap(({ kind, held }) =>
    held ? [{ kind, held, out: createConnectionInfo(home, kind, held) }] : [],
  );
  try {
    const named = positionals.length > 1;
    for (const { kind, error } of started) if (error) note(`${kind.id}: ${terminalErrorText(error)}`);
    const secretsOf = (held: HeldServer) =>
      values['show-passwords'] ? Object.fromEntries(secretFields(held.raw)) : {};
    if (values.json) printJson(running.map(({ held, out }) => ({ ...out, secrets: secretsOf(held) })));
    else for (const { held, out } of running) print(connectionInfoText(out, secretsOf(held)));
    if (running.length === 0) return stop.signal.aborted ? exitCodes.cancelled : exitCodes.targetUnreachable;
    note(`\nRunning until Ctrl-C or \`dyno servers stop\`.`);
    await ended(running, stop.signal, note);
    const failed = started.some(({ error }) => error && named);
    return failed ? exitCodes.targetUnreachable : exitCodes.ok;
  } finally {
    for (const { held } of running) held.release();
  }
}

async function start({ home, note }: CommandContext, kind: ServerKind, signal: AbortSignal): Promise<Started> {
  try {
    return { kind, held: await holdServer(home, kind, { onActivity: note, signal }), error: null };
  } catch (thrown) {
    return { kind, held: null, error: toErrorData(thrown) };
  }
}

/** Resolves at the signal, or when every server has ended. */
async function ended(
  running: readonly { readonly kind: ServerKind; readonly held: HeldServer }[],
  signal: AbortSignal,
  note: (text: string) => void,
): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const gone = running.map(({ kind, held }) =>
    held.gone.then(() => {
      if (!signal.aborted) note(`${kind.id} has stopped.`);
    }),
  );
  // Running servers do not keep this process alive.
  const alive = setInterval(() => {}, 60_000);
  await Promise.race([interrupted, Promise.all(gone)]);
  clearInterval(alive);
}

function connectionInfoText(out: ConnectionInfo, secrets: Readonly<Record<string, string>>): string {
  const shown = Object.entries(secrets).map(([name, value]) => `  ${name}  ${value}`);
  return [
    '',
    `${out.label} on 127.0.0.1:${out.port}`,
    `  built-in target  ${out.kind}`,
    '  or with its address:',
    ...out.yaml.split('\n').map((line) => `    ${line}`),
    ...(out.passwordFile
      ? [`  password  . ${out.passwordFile}   (sets the variable in this shell; gone with the server)`]
      : []),
    ...shown,
    ...(out.client ? [`  client    ${out.client}`] : []),
    `  data      ${out.dataFolder}`,
  ].join('\n');
}

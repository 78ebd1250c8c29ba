import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { localUseKinds } from '#engine-api/config.ts';
import { stdinOrdersSchema } from '#load-hosts/agent/stdin-orders.ts';
import { targetRules } from '#load-hosts/agent/target-rules.ts';
import type { BusAddress } from '#load-hosts/bus/connect-bus.ts';
import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { DynoError } from '#model/error.ts';
import { loadHostVersion } from '#orchestrator/worker/load-host-version.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { allowedUses, allowOption } from '../allow-option.ts';
import { type Command, text, texts, type Values } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';

/** `dyno agent`: drives load for a coordinator on another machine. */
export const agentCommand: Command = {
  name: 'agent',
  arguments: '',
  summary: 'Makes this machine a load host that generates load for runs on other machines.',
  help: [
    'The agent connects to a NATS server with JetStream, prints its public key, and works for one of the trusted coordinators at a time.',
    'It stops the load 10 s after the last message of the coordinator. Hosts that were added with --ssh need no agent, because Dyno starts one over SSH.',
  ].join('\n'),
  options: {
    nats: {
      type: 'string',
      about: 'Addresses of NATS servers, separated by commas: nats://host:port or tls://host:port.',
    },
    creds: { type: 'string', about: 'Path of the credentials file for NATS, or the seed of an NKey.' },
    ca: { type: 'string', about: 'Path of the CA certificates (PEM) of the NATS server.' },
    trust: {
      type: 'string',
      multiple: true,
      about: 'Public key of a coordinator that may use this agent (`dyno hosts key`).',
    },
    targets: {
      type: 'string',
      multiple: true,
      about: 'Servers that the agent may connect to: host:port, with * for any characters.',
    },
    ...allowOption('Uses of this machine that targets are allowed'),
    stdin: {
      type: 'boolean',
      about: 'Used by Dyno over SSH: reads the NATS address from standard input and ends when the input ends.',
    },
  },
  takes: [0, 0],
  async run({ home, values, print, note }) {
    // The other commands start faster without NATS and libsodium.
    const [{ Agent, usualLimits }, { connectBus }, { isPublicKey, newKeyPair }] = await Promise.all([
      import('#load-hosts/agent/agent.ts'),
      import('#load-hosts/bus/connect-bus.ts'),
      import('#load-hosts/bus/seal.ts'),
    ]);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    ensureHome(home);
    const orders = values.stdin === true ? await ordersFrom(stop) : null;
    const trusted = orders ? [orders.trust] : texts(values, 'trust');
    const keys = orders ? await newKeyPair() : await storedKeys(home, 'agent');
    await requireKeys(trusted, isPublicKey);
    const bus = await connectBus(orders ?? busOf(values), 'agent');
    await using closing = new AsyncDisposableStack();
    closing.defer(() => bus.close());
    closing.use(
      await Agent.start({
        bus,
        keys,
        trusted,
        // A user who starts the agent over SSH already has access to this account's files, programs and logins.
        rules: targetRules(texts(values, 'targets'), orders ? localUseKinds : allowedUses(values)),
        limits: usualLimits,
        version: loadHostVersion,
        folder: home.state,
        note,
      }),
    );
    print(orders ? JSON.stringify({ publicKey: keys.publicKey }) : `public key: ${keys.publicKey}`);
    const closed = bus.closed().then((error) => error ?? null);
    const stopped = new Promise<null>((resolve) => stop.signal.addEventListener('abort', () => resolve(null)));
    const error = stop.signal.aborted ? null : await Promise.race([closed, stopped]);
    if (error) throw new DynoError('unreachable', `The bus is gone: ${error.message}`);
    return exitCodes.ok;
  },
};

/** The first line of standard input. The end of the input ends the agent. */
async function ordersFrom(stop: AbortController) {
  const lines = createInterface({ input: process.stdin });
  lines.once('close', () => stop.abort());
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve('null'));
  });
  return v.parse(stdinOrdersSchema, JSON.parse(line));
}

function busOf(values: Values): BusAddress {
  const url = text(values, 'nats');
  if (url === undefined) throw new DynoError('badInput', 'dyno agent needs --nats, the bus that it hears.');
  const credentials = text(values, 'creds');
  const ca = text(values, 'ca');
  return { url, ...(credentials !== undefined && { credentials }), ...(ca !== undefined && { ca }) };
}

async function requireKeys(trusted: readonly string[], isPublicKey: (text: string) => Promise<boolean>): Promise<void> {
  if (trusted.length === 0)
    throw new DynoError('badInput', 'dyno agent needs --trust, the key of a coordinator that it works for.', {
      hint: '`dyno hosts key` prints it on the machine that runs experiments.',
    });
  for (const key of trusted)
    if (!(await isPublicKey(key))) throw new DynoError('badInput', `“${key.slice(0, 60)}” is no public key.`);
}

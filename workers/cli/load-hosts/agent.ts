import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { localUseKinds } from '#engine-api/config.ts';
import { Agent, usualLimits } from '#load-hosts/agent/agent.ts';
import { stdinOrdersSchema } from '#load-hosts/agent/stdin-orders.ts';
import { targetRules } from '#load-hosts/agent/target-rules.ts';
import { type BusAddress, connectBus } from '#load-hosts/bus/connect-bus.ts';
import { isPublicKey, newKeyPair } from '#load-hosts/bus/seal.ts';
import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { DynoError } from '#model/error.ts';
import { loadHostVersion } from '#orchestrator/worker/load-host-version.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { allowedUses, allowOption } from '../allow-option.ts';
import { type Command, text, type Values } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';

/** `dyno agent`: drives load for a coordinator on another machine. */
export const agentCommand: Command = {
  name: 'agent',
  arguments: '',
  summary: 'Makes this machine a load host: drives load for runs of Dyno on other machines.',
  help: [
    'It connects to a NATS server with JetStream, prints its public key, and works for the coordinators whose keys are named, for one at a time.',
    'Load ends 10 s after the coordinator was last heard. Hosts of `dyno hosts add NAME --ssh …` need no agent: it is started over SSH.',
  ].join('\n'),
  options: {
    nats: { type: 'string', about: 'nats://host:port or tls://host:port; several with commas between them.' },
    creds: { type: 'string', about: 'The credentials file for it, or the seed of an NKey.' },
    ca: { type: 'string', about: 'The certificates (PEM) that sign its own.' },
    trust: { type: 'string', multiple: true, about: 'Public key of a coordinator to work for (`dyno hosts key`).' },
    targets: {
      type: 'string',
      multiple: true,
      about: 'Drives load against these servers alone: host:port, with * for any characters.',
    },
    ...allowOption('Uses of this machine that targets may make'),
    stdin: {
      type: 'boolean',
      about: 'Started over SSH: reads from standard input what to connect to, and ends with it.',
    },
  },
  takes: [0, 0],
  async run({ home, values, print, note }) {
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    ensureHome(home);
    const orders = values.stdin === true ? await ordersFrom(stop) : null;
    const trusted = orders ? [orders.trust] : texts(values, 'trust');
    const keys = orders ? await newKeyPair() : await storedKeys(home, 'agent');
    await requireKeys(trusted);
    const bus = await connectBus(orders ?? busOf(values), 'agent');
    await using closing = new AsyncDisposableStack();
    closing.defer(() => bus.close());
    closing.use(
      await Agent.start({
        bus,
        keys,
        trusted,
        // Whoever starts the agent over SSH has this account's files, programs and logins already.
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

/** The first line of standard input; its end ends the agent. */
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

async function requireKeys(trusted: readonly string[]): Promise<void> {
  if (trusted.length === 0)
    throw new DynoError('badInput', 'dyno agent needs --trust, the key of a coordinator that it works for.', {
      hint: '`dyno hosts key` prints it on the machine that runs experiments.',
    });
  for (const key of trusted)
    if (!(await isPublicKey(key))) throw new DynoError('badInput', `“${key.slice(0, 60)}” is no public key.`);
}

const texts = (values: Values, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

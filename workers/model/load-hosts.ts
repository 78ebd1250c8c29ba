import { type Ssh, sshProblems, sshText } from './ssh.ts';

/** The name, in experiments, of the machine that runs Dyno. */
export const localHostName = 'local';

/** A load host that Dyno copies an agent to and starts it on over SSH, for the duration of a run. */
interface SshLoadHost {
  readonly name: string;
  readonly ssh: Ssh;
}

/** A load host whose agent is already running and waits on a bus of the user. */
interface BusLoadHost {
  readonly name: string;
  /** Addresses of NATS servers, separated by commas: nats://host:port or tls://host:port. */
  readonly nats: string;
  /** Path of the coordinator's credentials file. Absent: the bus requires none. */
  readonly credentials?: string;
  /** Path to the CA certificates (PEM) of the bus. Absent: the CAs that Node trusts. */
  readonly ca?: string;
  /** The agent's public key, which it prints when it starts. */
  readonly agent: string;
}

/** A load host of the user, without secrets. */
export type SavedLoadHost = SshLoadHost | BusLoadHost;

/** One load host of a load, as Settings.loadFrom names it. */
export interface HostShare {
  readonly host: string;
  /** Its weight in the load; null: the weight follows from calibration. */
  readonly weight: number | null;
}

const hostName = '[A-Za-z0-9][A-Za-z0-9._-]{0,59}';
const oneHost = `${hostName}(?:\\*[1-9]\\d{0,2})?`;
/** Names separated by commas, either all with a weight or all without one: “local, load1” or “local*1, load1*3”. */
export const loadFromPattern = new RegExp(`^${oneHost}(?:, *${oneHost})*$`);
/** A public key of coordinator or agent: 32 bytes as base64 without padding, for addresses. */
export const publicKeyPattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const namePattern = new RegExp(`^${hostName}$`);

/** The reason why a load host cannot have this name; null: it can. */
export const hostNameProblem = (name: string): string | null =>
  name === localHostName
    ? `“${localHostName}” is the machine that runs Dyno.`
    : namePattern.test(name)
      ? null
      : 'The name of a load host has letters, digits, dots, underscores and hyphens: load1.example.com.';

/** The location of a load host and the way to connect to it, as a phrase. */
export const loadHostPlace = (host: SavedLoadHost): string =>
  'ssh' in host
    ? `over SSH: ${sshText(host.ssh)}${host.ssh.jump ? `, jump hosts ${host.ssh.jump}` : ''}`
    : `agent ${host.agent.slice(0, 8)}… on ${host.nats}`;

/** A problem of a load host; `field` is a part of it, or null for the whole load host. */
export interface LoadHostProblem {
  readonly field: 'name' | 'ssh' | 'nats' | 'agent' | null;
  readonly message: string;
  readonly hint: string | null;
}

/** All problems of a load host. Values are not repeated. */
export function loadHostProblems(host: SavedLoadHost): readonly LoadHostProblem[] {
  const name = hostNameProblem(host.name);
  return [
    ...(name === null ? [] : [{ field: 'name', message: name, hint: null } as const]),
    ...('ssh' in host
      ? sshProblems(host.ssh).map(({ message, hint }) => ({ field: 'ssh', message, hint }) as const)
      : [...busProblems(host.nats), ...agentProblems(host.agent)]),
  ];
}

const busProblems = (nats: string): readonly LoadHostProblem[] =>
  nats.split(',').every((one) => /^(?:nats|tls):\/\/[^\s/@]+$/.test(one.trim()))
    ? []
    : [
        {
          field: 'nats',
          message: 'A bus is nats://host:port or tls://host:port, without user and password.',
          hint: 'These are in a credentials file.',
        },
      ];

const agentProblems = (agent: string): readonly LoadHostProblem[] =>
  publicKeyPattern.test(agent)
    ? []
    : [
        {
          field: 'agent',
          message: 'The public key of an agent has 43 letters, digits, hyphens and underscores.',
          hint: '`dyno agent` prints it when it starts.',
        },
      ];

/** The hosts of a load that fits {@link loadFromPattern}, in the order written. */
export const hostShares = (loadFrom: string): readonly HostShare[] =>
  loadFrom.split(',').map((part) => {
    const [host = '', weight] = part.trim().split('*');
    return { host, weight: weight === undefined ? null : Number(weight) };
  });

/** The text that {@link hostShares} reads. */
export const loadFromText = (shares: readonly HostShare[]): string =>
  shares.map(({ host, weight }) => (weight === null ? host : `${host}*${weight}`)).join(', ');

/** True if all of the load comes from this machine. */
export const isLocalLoad = (loadFrom: string): boolean =>
  hostShares(loadFrom).every(({ host }) => host === localHostName);

/** The load hosts of a load, without this machine. */
export const remoteHosts = (loadFrom: string): readonly string[] =>
  hostShares(loadFrom).flatMap(({ host }) => (host === localHostName ? [] : [host]));

/**
 * Worker processes of each host, by its weight. Every host has at least one, so the sum may exceed `processes`;
 * remaining processes go to the host that is furthest below its share.
 */
export function processesByHost(weights: readonly number[], processes: number): readonly number[] {
  const total = weights.reduce((sum, one) => sum + one, 0);
  const counts = weights.map(() => 1);
  for (let left = processes - weights.length; left > 0; left--) {
    const lack = weights.map((weight, i) => (weight / total) * processes - counts[i]!);
    counts[lack.indexOf(Math.max(...lack))]!++;
  }
  return counts;
}

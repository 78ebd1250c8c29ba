import type { Ssh } from './ssh.ts';

/** What experiments call the machine that runs Dyno, among load hosts. */
export const localHostName = 'local';

/** A load host that an agent is copied to and started on over SSH, for as long as a run takes. */
interface SshLoadHost {
  readonly name: string;
  readonly ssh: Ssh;
}

/** A load host whose agent is there and waits on a bus of the user's. */
interface BusLoadHost {
  readonly name: string;
  /** nats://host:port or tls://host:port; several with commas between them. */
  readonly nats: string;
  /** Path of the coordinator's credentials file. Absent: the bus asks for none. */
  readonly credentials?: string;
  /** The agent's public key, as it prints it when it starts. */
  readonly agent: string;
}

/** A load host of the user's. It holds no secret. */
export type SavedLoadHost = SshLoadHost | BusLoadHost;

/** One load host of a load, as Settings.loadFrom names it. */
interface HostShare {
  readonly host: string;
  /** Its part of the load, against the others'; null: what calibration says. */
  readonly weight: number | null;
}

const hostName = '[A-Za-z0-9][A-Za-z0-9._-]{0,59}';
const oneHost = `${hostName}(?:\\*[1-9]\\d{0,2})?`;
/** Names with commas between them, each with its weight or none with one: “local, load1” or “local*1, load1*3”. */
export const loadFromPattern = new RegExp(`^${oneHost}(?:, *${oneHost})*$`);
const namePattern = new RegExp(`^${hostName}$`);

/** Why a load host cannot be called so; null: it can. */
export const hostNameProblem = (name: string): string | null =>
  name === localHostName
    ? `“${localHostName}” is the machine that runs Dyno.`
    : namePattern.test(name)
      ? null
      : 'The name of a load host has letters, digits, dots, underscores and hyphens: load1.example.com.';

/** The hosts of a load that fits {@link loadFromPattern}, in the order written. */
export const hostShares = (loadFrom: string): readonly HostShare[] =>
  loadFrom.split(',').map((part) => {
    const [host = '', weight] = part.trim().split('*');
    return { host, weight: weight === undefined ? null : Number(weight) };
  });

/** True if all of the load comes from this machine. */
export const isLocalLoad = (loadFrom: string): boolean =>
  hostShares(loadFrom).every(({ host }) => host === localHostName);

/** The load hosts beside this machine that a load comes from. */
export const remoteHosts = (loadFrom: string): readonly string[] =>
  hostShares(loadFrom).flatMap(({ host }) => (host === localHostName ? [] : [host]));

/**
 * Worker processes of each host, by its weight: every host has one at least, so that there may be more than
 * `processes`; what is left goes to the host that is furthest below its share.
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

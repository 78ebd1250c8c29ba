import { existsSync } from 'node:fs';
import { textOf } from './system-file.ts';

/** Running totals of one network interface, in bytes. */
export interface InterfaceCounters {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

type Interfaces = ReadonlyMap<string, InterfaceCounters>;

/** The network interfaces of this machine whose traffic leaves it. Null: the system does not list them. */
export function readNetwork(): Interfaces | null {
  const all = procInterfaces(textOf('/proc/net/dev'));
  return all && outward(all, hasDevice);
}

/** proc_net(5): bytes are the first value of each of the two groups of eight. Null if it is no such text. */
export function procInterfaces(text: string | null): Interfaces | null {
  // Old kernels write the first value right behind the colon.
  const found = [...(text ?? '').matchAll(/^ *([^\s:]+(?::\d+)?): *(\d+(?: +\d+){15,})/gm)].map(([, name, values]) => {
    const [receivedBytes, , , , , , , , sentBytes] = values!.split(/ +/).map(Number);
    return [name!, { receivedBytes: receivedBytes!, sentBytes: sentBytes! }] as const;
  });
  return found.length > 0 ? new Map(found) : null;
}

/** Interfaces that never lead out of a machine or container. */
const inside = /^(?:lo|dummy\d+|ifb\d+)$/;

/**
 * The interfaces with a device. Bridges, bonds, tunnels and VLANs pass their traffic on to one of them, which would
 * count it twice. A container has no device, and all of its interfaces but the loopback lead out of it.
 */
export function outward(all: Interfaces, isDevice: (name: string) => boolean): Interfaces {
  const devices = [...all].filter(([name]) => isDevice(name));
  return new Map(devices.length > 0 ? devices : [...all].filter(([name]) => !inside.test(name)));
}

/** A machine keeps its devices, so that each is looked up once. */
const devices = new Map<string, boolean>();

function hasDevice(name: string): boolean {
  const known = devices.get(name);
  if (known !== undefined) return known;
  const found = !name.includes('/') && existsSync(`/sys/class/net/${name}/device`);
  devices.set(name, found);
  return found;
}

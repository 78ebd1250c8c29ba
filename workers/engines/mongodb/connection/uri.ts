import { DynoError } from '#model/error.ts';

const refused = (what: string, hint: string) => new DynoError('badInput', what, { hint });

export interface Host {
  readonly host: string;
  /** Null: the host is a Unix socket, or DNS gives the port. */
  readonly port: number | null;
}

/** "a, b:27018, [::1]:27019, /run/mongodb.sock" with the port of those that name none. */
export function readHosts(text: string, srv: boolean, port: number): readonly Host[] {
  const hosts = text.split(',').map((part) => {
    const one = part.trim();
    if (one.endsWith('.sock')) return { host: one, port: null };
    const found = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/.exec(one)?.groups;
    const own = found?.port === undefined ? port : Number(found.port);
    if (!found || own < 1 || own > 65_535)
      throw refused(
        'host is not a list of hosts.',
        'Names or addresses with commas between them, each with its port where it is not the usual one: a.example:27017,[::1]:27018.',
      );
    if (srv && found.port !== undefined)
      throw refused('A host whose servers DNS tells has no port.', 'Leave the port out of a mongodb+srv URL.');
    return { host: found.v6 ?? found.name ?? '', port: srv ? null : own };
  });
  if (srv && hosts.length > 1) throw refused('DNS is asked for one host.', 'Give one host with srv.');
  return hosts;
}

export const hostText = ({ host, port }: Host): string =>
  port === null ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;

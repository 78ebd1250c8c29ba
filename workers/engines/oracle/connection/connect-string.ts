import type { Endpoint } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';

/** Reads a connect string without the driver (Net Services Administrator's Guide, "Configuring Naming Methods"). */

/** tcps://host:port/service:mode/instance?parameters, all but the host optional. */
const easyConnect =
  /^(?:(?<protocol>tcps?):)?(?:\/\/)?(?<host>\[[^\]]+\]|[^:/?()=\s]+)(?::(?<port>\d{1,5}))?(?:\/(?<service>[^?()=\s]*))?(?:\?\S*)?$/i;

const inDescriptor = (text: string, key: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\\(\\s*${key}\\s*=\\s*([^()\\s]+)\\s*\\)`, 'gi'))].map((match) => match[1]!);

/** Hosts and ports; port null where it is a name that tnsnames.ora or a directory explains. */
export function addressesOf(connectString: string): readonly { readonly host: string; readonly port: number | null }[] {
  if (connectString.trimStart().startsWith('(')) {
    const hosts = inDescriptor(connectString, 'HOST');
    const ports = inDescriptor(connectString, 'PORT');
    return hosts.map((host, i) => ({ host, port: Number(ports[i] ?? 1_521) }));
  }
  const parts = easyConnect.exec(connectString)?.groups;
  // A bare word is a net service name.
  if (!parts || (parts.port === undefined && parts.service === undefined)) return [];
  const fallback = parts.protocol?.toLowerCase() === 'tcps' ? 2_484 : 1_521;
  return [{ host: parts.host!.replace(/^\[|\]$/g, ''), port: Number(parts.port ?? fallback) }];
}

/** For showing: no parameters of the text, and of a descriptor only where it leads. */
export function describeConnectString(connectString: string): string {
  if (!connectString.trimStart().startsWith('(')) return connectString.replace(/\?.*$/, '');
  const [service] = [...inDescriptor(connectString, 'SERVICE_NAME'), ...inDescriptor(connectString, 'SID')];
  const hosts = addressesOf(connectString).map(({ host, port }) => `${host}:${port}`);
  const secure = /PROTOCOL\s*=\s*tcps/i.test(connectString) ? 'tcps://' : '';
  return `${secure}${hosts.join(',')}/${service ?? ''}`;
}

/**
 * The connect string with network emulators in place of its addresses.
 * @throws DynoError 'unsupported' where addresses are found elsewhere, or a certificate would be compared with an
 * emulator's address.
 */
export function redirectedConnectString(
  connectString: string,
  dnMatch: boolean,
  elsewhere: (endpoint: Endpoint) => Endpoint,
): string {
  if (/tcps/i.test(connectString) && dnMatch && !/SSL_SERVER_CERT_DN/i.test(connectString))
    throw new DynoError(
      'unsupported',
      'The driver would look for the address of the network emulator, SSH tunnel or SOCKS proxy in the certificate.',
      {
        hint: 'Name the certificate’s whole DN in the connect string (SSL_SERVER_CERT_DN): then it is that which must match.',
      },
    );
  if (connectString.trimStart().startsWith('('))
    return connectString.replace(/\(\s*ADDRESS\s*=(?:\s*\([^()]*\))*\s*\)/gi, (address) => {
      const to = instead(elsewhere, addressesOf(address)[0]);
      return `(ADDRESS=(PROTOCOL=${inDescriptor(address, 'PROTOCOL')[0] ?? 'tcp'})(HOST=${to.host})(PORT=${to.port}))`;
    });
  const parts = easyConnect.exec(connectString)?.groups;
  const to = instead(elsewhere, addressesOf(connectString)[0]);
  const parameters = /\?.*$/.exec(connectString)?.[0] ?? '';
  return `${parts?.protocol ?? 'tcp'}://${to.host}:${to.port}/${parts?.service ?? ''}${parameters}`;
}

function instead(
  elsewhere: (endpoint: Endpoint) => Endpoint,
  found: { readonly host: string; readonly port: number | null } | undefined,
): Endpoint {
  if (found && found.port !== null) return elsewhere({ host: found.host, port: found.port });
  throw new DynoError(
    'unsupported',
    'The connect string names no host and port that a network emulator, SSH tunnel or SOCKS proxy could lead to.',
    { hint: 'Give host, port and serviceName.' },
  );
}

import type { Endpoint } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';

/** Reads a connect string without the driver (Net Services Administrator's Guide, "Configuring Naming Methods"). */

/** tcps://host:port,host:port/service:mode/instance?name=value&…, all but the host optional. */
const easyConnect =
  /^(?:(?<protocol>tcps?):)?(?:\/\/)?(?<hosts>(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:[,;](?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?)*)(?<rest>\/[^?()=\s"']*)?(?:\?(?<parameters>[\w.]+=(?:"[^"]*"|[^"&\s])*(?:&[\w.]+=(?:"[^"]*"|[^"&\s])*)*))?$/i;
const hostAndPort = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+))(?::(?<port>\d+))?$/;
/** A net service name, which tnsnames.ora or a directory explains. */
const alias = /^[\w.$#-]+$/;

const isDescriptor = (connectString: string): boolean => connectString.trimStart().startsWith('(');
const beginsAddress = /\(\s*ADDRESS\s*=/gi;
const wholeAddress = /\(\s*ADDRESS\s*=(?:\s*\([^()]*\))*\s*\)/gi;

const inDescriptor = (text: string, key: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\\(\\s*${key}\\s*=\\s*([^()\\s]+)\\s*\\)`, 'gi'))].map((match) => match[1]!);

/**
 * Refuses texts that the driver could read differently from the functions below, which say where a target leads and
 * which files it names.
 * @throws DynoError 'badInput'.
 */
export function requireReadable(connectString: string): void {
  const refused = (what: string, hint: string) => {
    throw new DynoError('badInput', `connectString ${what}.`, { hint });
  };
  const plain = connectString.replaceAll(/"[^"()]*"/g, '');
  if (/\b(https_proxy\w*|source_route)\s*=/i.test(plain))
    refused('goes through a proxy of its own', 'Save a connection that goes through a SOCKS proxy or an SSH server.');
  if (!isDescriptor(connectString)) {
    if (!easyConnect.test(connectString) && !alias.test(connectString))
      refused(
        'cannot be read',
        'It is host:port/service, also with parameters behind a ?, a descriptor in parentheses, or a name of tnsnames.ora.',
      );
    return;
  }
  const names = [...plain.matchAll(/\(([^()=]*)/g)].map(([, name = '']) => name.trim());
  const addresses = plain.match(wholeAddress) ?? [];
  const isPlain = addresses.every(
    (one) => inDescriptor(one, 'HOST').length === 1 && (one.match(/\(\s*HOST\b/gi) ?? []).length === 1,
  );
  if (
    /["'\\#]/.test(plain) ||
    names.some((name) => !/^[\w.$-]+$/.test(name)) ||
    addresses.length !== (plain.match(beginsAddress) ?? []).length ||
    !isPlain
  )
    refused(
      'is a descriptor that cannot be read',
      'Each ADDRESS has a PROTOCOL, a HOST and a PORT, and nothing is quoted in it.',
    );
}

/** The wallet's folder in a connect string. Null: it names none, or the system's wallet. */
export function walletIn(connectString: string): string | null {
  const [, folder = null] =
    /\b(?:my_wallet_directory|wallet_location)\s*=\s*"?([^"()&]*?)"?\s*(?:[)&]|$)/i.exec(connectString) ?? [];
  return folder === null || folder === '' || /^system$/i.test(folder) ? null : folder;
}

/** Hosts and ports. A null port: the text is a name that tnsnames.ora or a directory explains. */
export function addressesOf(connectString: string): readonly { readonly host: string; readonly port: number | null }[] {
  if (isDescriptor(connectString))
    return (connectString.match(wholeAddress) ?? []).flatMap((address) => {
      const [host] = inDescriptor(address, 'HOST');
      const [port] = inDescriptor(address, 'PORT');
      return host === undefined ? [] : [{ host, port: Number(port ?? 1_521) }];
    });
  const parts = easyConnect.exec(connectString)?.groups;
  const hosts = (parts?.hosts ?? '').split(/[,;]/).map((one) => hostAndPort.exec(one)?.groups ?? {});
  // A bare word is a net service name.
  if (!parts || (parts.rest === undefined && hosts.every(({ port }) => port === undefined))) return [];
  const fallback = parts.protocol?.toLowerCase() === 'tcps' ? 2_484 : 1_521;
  return hosts.map(({ v6, name = '', port }, at) => {
    // The port of hosts without one is that of the next host that has one.
    const own = port ?? hosts.slice(at).find((other) => other.port !== undefined)?.port;
    return { host: v6 ?? name, port: Number(own ?? fallback) };
  });
}

/** The connect string as it is shown: without its parameters; of a descriptor only its addresses and service. */
export function connectStringText(connectString: string): string {
  if (!isDescriptor(connectString)) return connectString.replace(/\?.*$/, '');
  const [service] = [...inDescriptor(connectString, 'SERVICE_NAME'), ...inDescriptor(connectString, 'SID')];
  const hosts = addressesOf(connectString).map(({ host, port }) => `${host}:${port}`);
  const secure = /PROTOCOL\s*=\s*tcps/i.test(connectString) ? 'tcps://' : '';
  return `${secure}${hosts.join(',')}/${service ?? ''}`;
}

/**
 * The connect string with network emulators in place of its addresses.
 * @throws DynoError 'unsupported' if the addresses are found elsewhere, or a certificate would be compared with an
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
  if (isDescriptor(connectString))
    return connectString.replace(wholeAddress, (address) => {
      const to = instead(elsewhere, addressesOf(address)[0]);
      return `(ADDRESS=(PROTOCOL=${inDescriptor(address, 'PROTOCOL')[0] ?? 'tcp'})(HOST=${to.host})(PORT=${to.port}))`;
    });
  const parts = easyConnect.exec(connectString)?.groups;
  const addresses = addressesOf(connectString);
  const to = instead(elsewhere, addresses.length === 1 ? addresses[0] : undefined);
  const parameters = parts?.parameters === undefined ? '' : `?${parts.parameters}`;
  return `${parts?.protocol ?? 'tcp'}://${to.host}:${to.port}${parts?.rest ?? '/'}${parameters}`;
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

/** What can be told from a connect string without the driver (Net Services Administrator's Guide, "Configuring Naming Methods"). */

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

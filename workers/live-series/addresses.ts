/** The address at which the Prometheus endpoint listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const metricsPath = '/v1/metrics';

/** The reason why a text is no address of a collector, as a sentence; null: it is one. */
export function otlpProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'takes the address of a collector that speaks OTLP over HTTP, such as http://127.0.0.1:4318.';
  // A password in an argument is in the list of processes and in the history of the shell.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'takes an address without a user, a password or a query. Put what authorises you into the variable OTEL_EXPORTER_OTLP_HEADERS.';
  return null;
}

/** The address for metrics: like OTEL_EXPORTER_OTLP_ENDPOINT, the option names the part before the path of a signal. */
export function metricsUrl(text: string): string {
  const whole = new URL(text).href.replace(/\/+$/, '');
  return whole.endsWith(metricsPath) ? whole : whole + metricsPath;
}

const thisMachine = '127.0.0.1';

/** Reads "9464", "0.0.0.0:9464" or "[::1]:9464". Null: the text is no such address. */
export function listenAddress(text: string): ListenAddress | null {
  const [, bracketed, host, digits] = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { host: bracketed ?? host ?? thisMachine, port } : null;
}

/** True if only programs of this machine reach the address. */
export const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);

/** A host and port as in a URL. */
export const formatAddress = ({ host, port }: ListenAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

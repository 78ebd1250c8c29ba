import { createWriteStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rootCertificates } from 'node:tls';
import type { Response } from 'undici';
import { DynoError, toErrorData } from '#model/error.ts';
import { currentInstallation, throwIfEnded } from '../installation.ts';
import { withProgress } from '../run-program.ts';

/** The settings for reaching a host. Without them the variables HTTPS_PROXY and NO_PROXY hold. */
export interface Access {
  /** The value of the header, which is never part of a message. */
  readonly authorization?: string | undefined;
  readonly proxy?: string | undefined;
  readonly noProxy?: string | undefined;
  /** A file of certificates that are trusted in addition to Node's. */
  readonly certificates?: string | undefined;
}

/** The ms of silence after which a host counts as lost. */
const patienceMs = 60_000;

/** The settings to check if an address could not be fetched. */
type Advice = string;

/**
 * Downloads a file to `file`, and reports the bytes that have arrived and the time left. The caller compares the
 * checksum. `bytes`: its size, if the host does not report it. Throws 'unreachable' with the reason.
 */
export async function download(
  address: string,
  file: string,
  access: Access,
  { onActivity, bytes, advice }: { onActivity: (text: string) => void; bytes?: number | undefined; advice: Advice },
): Promise<void> {
  await answering(address, access, advice, async ({ headers, body }) => {
    if (body === null) throw new Error('the answer is empty');
    const total = Number(headers.get('content-length')) || bytes;
    const save = () =>
      pipeline(Readable.fromWeb(body), createWriteStream(file), { signal: currentInstallation()?.signal });
    await withProgress(save, onActivity, { paths: [file], bytes: total });
  });
}

/** The text at an address, and the address that answered after redirects. Throws as `download` does. */
export const fetchText = (address: string, access: Access, advice: Advice): Promise<{ text: string; url: string }> =>
  answering(address, access, advice, async (response) => ({ text: await response.text(), url: response.url }));

async function answering<T>(
  address: string,
  access: Access,
  advice: Advice,
  use: (response: Response) => Promise<T>,
): Promise<T> {
  throwIfEnded();
  // It is imported here, because the window's process loads this file at every start.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const agent = new EnvHttpProxyAgent({
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    ...proxiesOf(access),
    ...trustOf(access),
  });
  try {
    const response = await fetch(address, {
      dispatcher: agent,
      ...(access.authorization && { headers: { authorization: access.authorization } }),
      signal: currentInstallation()?.signal ?? null,
    });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return await use(response);
  } catch (thrown) {
    throw new DynoError('unreachable', `${address} could not be fetched: ${reasonOf(thrown)}`, { hint: advice });
  } finally {
    await agent.destroy();
  }
}

/**
 * A folder's address, which ends in a slash, without user and password: fetch() refuses them, and messages must not
 * show them.
 */
export function withoutCredentials(given: string): { readonly address: string; readonly authorization?: string } {
  const url = new URL(given.replace(/\/*$/, '/'));
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { address: url.href };
  return { address: url.href, authorization: basicOf(decodeURIComponent(username), decodeURIComponent(password)) };
}

/** The header's value for a user and a password. */
export const basicOf = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const proxiesOf = ({ proxy, noProxy }: Access) => ({
  ...(proxy && { httpProxy: proxy, httpsProxy: proxy }),
  ...(noProxy && { noProxy }),
});

function trustOf({ certificates }: Access) {
  if (!certificates) return {};
  const tls = { ca: [...rootCertificates, readFileSync(certificates, 'utf8')] };
  return { connect: tls, requestTls: tls };
}

/** The error of fetch() itself says no more than "fetch failed". */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return toErrorData(cause).message;
}

import { createWriteStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rootCertificates } from 'node:tls';
import type { Response } from 'undici';
import { DynoError, toErrorData } from '#model/error.ts';
import { currentInstallation, throwIfEnded } from '../installation.ts';
import { withProgress } from '../run-program.ts';

/** The means to reach a host. The variables HTTPS_PROXY and NO_PROXY hold where nothing is said here. */
export interface Access {
  /** The value of the header. Never part of a message. */
  readonly authorization?: string | undefined;
  readonly proxy?: string | undefined;
  readonly noProxy?: string | undefined;
  /** A file of certificates that are trusted in addition to Node's. */
  readonly certificates?: string | undefined;
}

/** A host that says nothing for so long is taken for lost. */
const patienceMs = 60_000;

/** The places to check when an address could not be fetched. */
type Advice = string;

/**
 * Downloads a file to `file`, and reports the bytes that have arrived and the time left. Whoever calls compares the
 * checksum. `bytes`: its size, for a host that does not tell. Throws 'unreachable' with the reason.
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

/** The text at an address, and the address that has answered in the end. Throws as `download` does. */
export const fetchText = (address: string, access: Access, advice: Advice): Promise<{ text: string; url: string }> =>
  answering(address, access, advice, async (response) => ({ text: await response.text(), url: response.url }));

async function answering<T>(
  address: string,
  access: Access,
  advice: Advice,
  use: (response: Response) => Promise<T>,
): Promise<T> {
  throwIfEnded();
  // Imported here, because the window's process loads this file at every start.
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
 * A folder's address, which ends in a slash, without the user and password in it: fetch() refuses them, and messages
 * must not have them.
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

/** fetch() says no more than "fetch failed" itself. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return toErrorData(cause).message;
}

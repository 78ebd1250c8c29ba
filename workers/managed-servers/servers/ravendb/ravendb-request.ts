import { readFileSync } from 'node:fs';
import type { RunningServer } from '../../process/server-kind.ts';

interface Answer {
  readonly status: number;
  /** The answer's JSON, or null. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/**
 * Sends one request to a managed server over a connection of its own, with the certificate in `raw` if there is one.
 */
export async function ask(raw: RunningServer['raw'], method: string, path: string, body?: unknown): Promise<Answer> {
  const { url, certificate, certificatePassword, ca } = raw as Readonly<Record<string, string | undefined>>;
  const options = {
    method,
    agent: false,
    ...(ca && { ca: readFileSync(ca) }),
    ...(certificate && { pfx: readFileSync(certificate), passphrase: certificatePassword }),
  };
  // It is imported here, because node:http loads an HTTP client that would delay the start of the window.
  const { request } = url?.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), options, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      const isJson = text.startsWith('{');
      resolve({ status: answer.statusCode ?? 0, body: isJson ? (JSON.parse(text) as Answer['body']) : null });
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends one request of an administrator; returns the answer. Throws with the server's message. */
export async function order(
  raw: RunningServer['raw'],
  method: string,
  path: string,
  body?: unknown,
): Promise<NonNullable<Answer['body']>> {
  const { status, body: said } = await ask(raw, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${String(said?.Message ?? status)}`);
  return said ?? {};
}

/** A certificate's body in the form that the server accepts. */
export const withoutArmour = (pem: string): string => readFileSync(pem, 'utf8').replace(/-----[^-]+-----|\s/g, '');

import { readFileSync } from 'node:fs';
import type { RunningServer } from '../../process/server-kind.ts';

interface Answer {
  readonly status: number;
  /** JSON where it is some; else null. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** One request to a managed server over a connection of its own, with the certificate in `raw` where there is one. */
export async function ask(raw: RunningServer['raw'], method: string, path: string, body?: unknown): Promise<Answer> {
  const { url, certificate, certificatePassword, ca } = raw as Readonly<Record<string, string | undefined>>;
  const options = {
    method,
    agent: false,
    ...(ca && { ca: readFileSync(ca) }),
    ...(certificate && { pfx: readFileSync(certificate), passphrase: certificatePassword }),
  };
  // Imported only now: node:http brings an HTTP client of its own along, for which the window would start later.
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

/** One request of an administrator, with its answer. Throws with the server's words. */
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

/** A certificate's body, as the server takes it. */
export const withoutArmour = (pem: string): string => readFileSync(pem, 'utf8').replace(/-----[^-]+-----|\s/g, '');

import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { protocol } from 'electron';
import { fileOf } from './addresses.ts';

/**
 * The page loads its own files only. CodeMirror, react-aria and React set styles at run time, so inline styles are
 * allowed; inline scripts, eval and any other host are not.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Must be called before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the files of one folder, read-only, as app://dyno/…. */
export function servePage(folder: string): void {
  protocol.handle('app', async (request) => {
    const file = fileOf(folder, request.url);
    if (file === null || request.method !== 'GET') return new Response('Not found', { status: 404 });
    try {
      return new Response(await readFile(file), { headers: headersOf(file) });
    } catch {
      return new Response('Not found', { status: 404 });
    }
  });
}

const headersOf = (file: string): Record<string, string> => ({
  'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

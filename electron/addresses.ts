import { join, normalize, sep } from 'node:path';

/** The page's origin: a scheme of its own, so that the page has an origin (file: has none) and no port is open. */
const pageOrigin = 'app://dyno';
export const pageUrl = `${pageOrigin}/index.html`;

export const isOurPage = (url: string): boolean => {
  const parsed = URL.parse(url);
  // `origin` is "null" for schemes outside the URL standard's list, so it is put together here.
  return parsed !== null && `${parsed.protocol}//${parsed.host}` === pageOrigin;
};

/** The file behind a URL of the page, or null for another host or a path that leaves the folder. */
export function fileOf(folder: string, url: string): string | null {
  const { host, pathname } = new URL(url);
  if (host !== 'dyno') return null;
  try {
    const file = normalize(join(folder, decodeURIComponent(pathname)));
    return file.startsWith(folder + sep) && !file.includes('\0') ? file : null;
  } catch {
    return null;
  }
}

/** Hosts that links in the page may open in the user's own browser: documentation of the engines. */
const linkHosts = new Set(['www.postgresql.org', 'www.sqlite.org', 'sqlite.org', 'nodejs.org', 'github.com']);

export const isAllowedLink = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'https:' && linkHosts.has(parsed.host) && parsed.username === '';
};

import { join, normalize, sep } from 'node:path';

/** The page's origin. Its own scheme gives the page an origin, which file: URLs lack, without an open port. */
const pageOrigin = 'app://dyno';
export const pageUrl = `${pageOrigin}/index.html`;

export const isOurPage = (url: string): boolean => {
  const parsed = URL.parse(url);
  // URL.origin is "null" for schemes outside the URL standard's list.
  return parsed !== null && `${parsed.protocol}//${parsed.host}` === pageOrigin;
};

/** Path of the file for a URL of the page; null for another host or a path outside the folder. */
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

/** Hosts that links of the page may open in the user's browser: the engines' documentation. */
const linkHosts = new Set(['www.postgresql.org', 'www.sqlite.org', 'sqlite.org', 'nodejs.org', 'github.com']);

export const isAllowedLink = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'https:' && linkHosts.has(parsed.host) && parsed.username === '';
};

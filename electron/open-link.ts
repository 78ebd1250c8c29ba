/** The target of a link: an experiment of the gallery or the library, or a run, by its id and never by a path. */
type LinkedThing = { readonly experiment: string } | { readonly run: string };

const longest = 300;
/** Names of files without folder and extension. */
const fileName = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/;
const runName = /^\d{8}-\d{6}-[0-9a-f]{8}$/;

/**
 * Parses `dyno://open?gallery=NAME`, `dyno://open?experiment=NAME` (a file of the user's library) and
 * `dyno://open?run=ID`. Null for everything else: any web page can hand such a link to Dyno.
 */
export function parseOpenLink(link: string): LinkedThing | null {
  if (link.length > longest) return null;
  const match = /^dyno:\/\/open\/?\?(gallery|experiment|run)=([\w-]+)$/i.exec(link);
  const [, what, name = ''] = match ?? [];
  switch (what?.toLowerCase()) {
    case 'gallery':
      return fileName.test(name) ? { experiment: `gallery:${name}` } : null;
    case 'experiment':
      return fileName.test(name) ? { experiment: `mine:${name}` } : null;
    case 'run':
      return runName.test(name) ? { run: name } : null;
    default:
      return null;
  }
}

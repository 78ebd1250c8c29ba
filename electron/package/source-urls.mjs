import { join, posix, relative, sep } from 'node:path';

const toPosix = (path) => path.split(sep).join('/');

/**
 * A plugin of Rolldown with which a module's `import.meta.url` stays the URL of its source file, wherever the bundle
 * puts the module. `files` is the path from the folder of the bundle to a folder with the layout of the project, for
 * what modules read there; `programs` to the folder of the programs that plain Node runs, if this is another one.
 *
 * `new URL('x.ts', import.meta.url)` names a program or a thread. Its file becomes an entry of the bundle, `x.js`: that
 * of a thread (`x-thread.ts`) always, because threads belong to the process that starts them; that of a program in the
 * bundle of programs only.
 */
export function sourceUrls(root, { files, programs = null }) {
  return {
    name: 'source-urls',
    transform: {
      filter: { code: 'import.meta.url', id: /\.ts$/ },
      handler(code, id) {
        const file = toPosix(relative(root, id));
        for (const { path, isThread } of entriesIn(code)) {
          if (!isThread && programs !== null) continue;
          const entry = posix.join(posix.dirname(file), path);
          this.emitFile({ type: 'chunk', id: join(root, entry), fileName: builtName(entry) });
        }
        return { code: withPlaceholders(code, file) };
      },
    },
    renderChunk: (code, { fileName }) => withFolders(code, fileName, { files, programs: programs ?? '' }),
  };
}

const builtName = (file) => file.replace(/\.ts$/, '.js');

const programUrl = /new URL\(\s*(['"`])([^'"`$]+\.ts)\1,\s*import\.meta\.url,?\s*\)/g;

const isThread = (path) => path.endsWith('-thread.ts');

/** The source files that a module starts as programs or threads; their paths are relative to the module. */
export const entriesIn = (code) =>
  [...code.matchAll(programUrl)].map(([, , path]) => ({ path, isThread: isThread(path) }));

/** A module with placeholders for the folders of sourceUrls. `file` is relative to the project. */
export const withPlaceholders = (code, file) =>
  code
    .replaceAll(programUrl, (_match, _quote, path) => {
      const built = JSON.stringify(builtName(posix.join(posix.dirname(file), path)));
      return `new URL(${built}, ${isThread(path) ? '__DYNO_BUNDLE__' : '__DYNO_PROGRAMS__'})`;
    })
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, __DYNO_FILES__).href`);

/** A chunk of the bundle with the URLs of the folders, which depend on the chunk's own place. */
export function withFolders(code, fileName, { files, programs }) {
  const up = `${posix.relative(posix.dirname(fileName), '.') || '.'}/`;
  const url = (path) => `new URL(${JSON.stringify(path)}, import.meta.url)`;
  return code
    .replaceAll('__DYNO_BUNDLE__', url(up))
    .replaceAll('__DYNO_PROGRAMS__', url(up + programs))
    .replaceAll('__DYNO_FILES__', url(up + files));
}

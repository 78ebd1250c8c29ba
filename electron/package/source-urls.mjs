import { join, posix, relative, sep } from 'node:path';

const toPosix = (path) => path.split(sep).join('/');

/**
 * A plugin of Rolldown with which a module's `import.meta.url` stays the URL of its source file, wherever the bundle
 * puts the module: the folder of the bundle has the layout of the project. `programs` is the path from there to the
 * folder of the programs that plain Node runs, if this is another one.
 *
 * `new URL('x.ts', import.meta.url)` names a program or a thread. Its file becomes an entry of the bundle, `x.js`: that
 * of a thread (`new Worker(new URL(…))`) always, because threads belong to the process that starts them; that of a
 * program in the bundle of programs only.
 */
export function sourceUrls(root, programs = null) {
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
    renderChunk: (code, { fileName }) => withFolders(code, fileName, programs ?? ''),
  };
}

/**
 * The same for a bundle beside source files, which Node runs as they are: `sources` is the path from the bundle's folder
 * to the project's, and programs and threads stay the source files.
 */
export const urlsOfSources = (root, sources) => ({
  name: 'urls-of-sources',
  transform: {
    filter: { code: 'import.meta.url', id: /\.ts$/ },
    handler: (code, id) => ({ code: withSourceUrl(code, toPosix(relative(root, id))) }),
  },
  renderChunk: (code, { fileName }) => withFolders(code, fileName, sources),
});

const builtName = (file) => file.replace(/\.ts$/, '.js');

const programUrl = /(new Worker\(\s*)?new URL\(\s*(['"`])([^'"`$]+\.ts)\2,\s*import\.meta\.url,?\s*\)/g;

/** The source files that a module starts as programs or threads; their paths are relative to the module. */
export const entriesIn = (code) =>
  [...code.matchAll(programUrl)].map(([, worker, , path]) => ({ path, isThread: worker !== undefined }));

/** A module with placeholders for the folders of the bundle and of the programs. `file` is relative to the project. */
export const withPlaceholders = (code, file) =>
  withSourceUrl(
    code.replaceAll(programUrl, (_match, worker, _quote, path) => {
      const built = JSON.stringify(builtName(posix.join(posix.dirname(file), path)));
      return worker === undefined
        ? `new URL(${built}, __DYNO_PROGRAMS__)`
        : `${worker}new URL(${built}, __DYNO_BUNDLE__)`;
    }),
    file,
  );

const withSourceUrl = (code, file) =>
  code.replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, __DYNO_PROGRAMS__).href`);

/** A chunk of the bundle with the URLs of both folders, which depend on the chunk's own place. */
export function withFolders(code, fileName, programs) {
  const up = `${posix.relative(posix.dirname(fileName), '.') || '.'}/`;
  const url = (path) => `new URL(${JSON.stringify(path)}, import.meta.url)`;
  return code.replaceAll('__DYNO_BUNDLE__', url(up)).replaceAll('__DYNO_PROGRAMS__', url(up + programs));
}

/**
 * The last part of a script of rights in SQL, in comments: a user that may only read, for connections that are marked
 * as production. `before` names the other parts of the script that it needs.
 */
export const readerScript = (statements: readonly string[], before: string): string =>
  [
    `-- For a connection that is marked as production, make a user that may only read. ${before}`,
    ...statements.map((one) => `--   ${one}`),
    '',
  ].join('\n');

/** The statements of that part. */
export const readerStatements = (script: string): readonly string[] =>
  [...script.matchAll(/^-- {3}(.+)$/gm)].map(([, one]) => one!);

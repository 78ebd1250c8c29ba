/** The statements of a script with at most one statement a line, without comments and semicolons. */
export const sqlLines = (script: string): readonly string[] =>
  script
    .split('\n')
    .map((line) => line.replace(/;?\s*(?:--.*)?$/, '').trim())
    .filter(Boolean);

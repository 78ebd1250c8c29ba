/** The statements of a script that has one to a line at most, without comments and semicolons. */
export const sqlLines = (script: string): readonly string[] =>
  script
    .split('\n')
    .map((line) => line.replace(/;?\s*(?:--.*)?$/, '').trim())
    .filter(Boolean);

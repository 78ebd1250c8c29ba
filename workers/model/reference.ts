/** True if the value refers to an environment variable. */
export const isReference = (value: unknown): boolean =>
  typeof value === 'string' && /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);

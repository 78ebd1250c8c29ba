/** The option of commands that print the findings of a run. */
export const findingsOption = {
  'all-findings': { type: 'boolean', about: 'Lists the checks without findings, too.' },
} as const;

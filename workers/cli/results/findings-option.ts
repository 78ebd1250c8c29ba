/** The option of commands that print the findings of a run. */
export const findingsOption = {
  'all-findings': { type: 'boolean', about: 'Also lists the checks that found nothing.' },
} as const;

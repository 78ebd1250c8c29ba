import type { Values } from './command.ts';

/** The option that confirms production connections. */
export const confirmOption = {
  confirm: {
    type: 'string',
    multiple: true,
    about: 'Confirms a production connection by the name of its host (repeatable).',
  },
} as const;

/** The typed hosts. */
export const confirmedHosts = ({ confirm }: Values): readonly string[] =>
  Array.isArray(confirm) ? confirm.map(String) : [];

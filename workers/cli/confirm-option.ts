import type { Values } from './command.ts';

/** The option of commands that a production connection has to be confirmed for. */
export const confirmOption = {
  confirm: {
    type: 'string',
    multiple: true,
    about: 'Confirms a production connection by the name of its host (repeatable).',
  },
} as const;

/** The hosts that were typed. */
export const confirmedHosts = ({ confirm }: Values): readonly string[] =>
  Array.isArray(confirm) ? confirm.map(String) : [];

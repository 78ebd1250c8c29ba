import type { Values } from './command.ts';

/** The option of commands that a production connection has to be confirmed for. */
export const confirmOption = {
  confirm: {
    type: 'string',
    multiple: true,
    about: 'The host of a connection that is marked as production, typed out: the run is meant for it (repeatable).',
  },
} as const;

/** The hosts that were typed. */
export const confirmedHosts = ({ confirm }: Values): readonly string[] =>
  Array.isArray(confirm) ? confirm.map(String) : [];

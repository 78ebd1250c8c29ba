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

/** The option that lets a run change parameters of the user's servers. */
export const changeServerOption = {
  'change-server': {
    type: 'string',
    multiple: true,
    about:
      'Lets the run change parameters of the server of a connection, for all its users, by the connection’s name (repeatable).',
  },
} as const;

/** The typed names of connections whose servers may change. */
export const changedServers = ({ 'change-server': names }: Values): readonly string[] =>
  Array.isArray(names) ? names.map(String) : [];

import { option } from '#engine-api/option.ts';

const choices = ['perCall', 'perTurn'] as const;

/**
 * The option of engines whose method serverLoop can commit within its loop. `more` is the part of the help about the
 * engine.
 */
export const loopCommit = (more = '') =>
  option('loopCommit', 'Commits of the server’s loop', {
    help: `perCall: all rows of a call are one transaction. perTurn: each turn of the loop commits its row, as a loop without BEGIN TRANSACTION does; a call that fails leaves the rows of the turns before.${more}`,
    choices,
    defaultValue: 'perCall',
    cells: ['serverLoop'],
    unsupportedReasons: {
      perTurn: { callsPerCommit: 'Each turn commits, so no transaction holds several calls. Take callsPerCommit: 1.' },
    },
  });

const perTurn = { loopCommit: 'perTurn' } as const;

/** The mark of cells with the option: only a loop that commits within a call can store a part of its rows. */
export const mayLeaveTurns = { mayApplyPartially: perTurn } as const;

/** True if each turn commits. `options` are the table's. */
export const commitsTurns = ({ loopCommit: chosen }: { readonly loopCommit?: unknown }): boolean =>
  chosen === perTurn.loopCommit;

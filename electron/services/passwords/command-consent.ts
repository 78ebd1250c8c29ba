import { type BrowserWindow, dialog } from 'electron';
import { type Connection, commandOf } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { judgeConnection, placeOf } from '#workspace/connections/connection-draft.ts';

/** The user's consent to the programs of connections. The page can request the question, but cannot answer it. */
export interface CommandConsent {
  /**
   * Asks before a program is run that the connection did not name so far, or whose output would go to another server
   * than so far (`before`; null: the connection is new).
   * @throws DynoError 'cancelled' where the user does not agree.
   */
  require(connection: Omit<Connection, 'id'>, before: Connection | null): Promise<void>;
}

export function createCommandConsent(window: BrowserWindow): CommandConsent {
  const agreed = new Set<string>();
  return {
    async require(connection, before) {
      for (const [field, place] of Object.entries(connection.passwords)) {
        const command = commandOf(place);
        if (command === null) continue;
        const key = JSON.stringify([command, placeOf(connection)]);
        const keyBefore = before && JSON.stringify([commandOf(before.passwords[field]), placeOf(before)]);
        if (agreed.has(key) || keyBefore === key) continue;
        const { response } = await dialog.showMessageBox(window, {
          type: 'question',
          message: `Run this program for “${connection.name}”?`,
          detail: `${command.join('\n')}\n\nIt runs with your rights whenever Dyno connects. What it prints is sent to ${judgeConnection(connection).address ?? 'the server'} as the password.`,
          buttons: ['Cancel', 'Run it'],
          defaultId: 0,
          cancelId: 0,
        });
        if (response !== 1) throw new DynoError('cancelled', 'The command was not confirmed, so nothing was done.');
        agreed.add(key);
      }
    },
  };
}

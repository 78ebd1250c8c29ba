import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { DynoError } from '#model/error.ts';
import { placeOf } from '#workspace/connections/connection-draft.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import {
  connectionIn,
  type FoundFile,
  findInFile,
  findInUsualPlaces,
  judgeFound,
  saveFound,
} from '#workspace/imports/find-connections.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { Files } from '../files/files.ts';
import type { PasswordStore } from '../passwords/password-store.ts';
import type { UseConsent } from '../passwords/use-consent.ts';

/** The requests about connections of other programs. */
export type ImportChannel = 'connections:findImports' | 'connections:import' | 'connections:forgetImports';

/**
 * Handlers of imports from files of other programs. The passwords found stay in this process until the dialog closes,
 * and are stored only with the user's consent.
 */
export function importHandlers(
  connections: ConnectionStore,
  store: Pick<PasswordStore, 'put' | 'cannotStore'>,
  uses: UseConsent,
  files: Pick<Files, 'choose'>,
  send: Send,
): Pick<Handlers, ImportChannel> {
  let current: { readonly importId: string; readonly files: readonly FoundFile[] } | null = null;
  return {
    'connections:findImports': async ({ where }) => {
      current = null;
      const file = where === 'file' ? await files.choose('connections') : null;
      if (where === 'file' && file === null) return null;
      const found = file === null ? findInUsualPlaces() : { files: [findInFile(file)], problems: [] };
      current = { importId: randomUUID(), files: found.files };
      const known = connections.list().connections;
      return {
        importId: current.importId,
        files: found.files.map((one) => ({
          label: one.label,
          file: basename(one.file),
          entries: judgeFound(one.found, known),
        })),
        // The page gets no paths.
        problems: found.problems.map(({ file: path, message }) => `${basename(path)}: ${message}`),
      };
    },
    'connections:import': async ({ importId, picked, keepPasswords }) => {
      if (current?.importId !== importId) throw new DynoError('badInput', 'This list is not open any more.');
      const why = store.cannotStore();
      if (keepPasswords && why !== null)
        throw new DynoError('unsupported', 'Passwords cannot be stored here.', { hint: why });
      const chosen = picked.flatMap(({ file, entry }) => current?.files[file]?.found[entry] ?? []);
      for (const found of chosen) {
        const connection = connectionIn(found);
        if (connection) await uses.connection(connection, null);
      }
      const names: string[] = [];
      try {
        const added = saveFound(connections, chosen, keepPasswords);
        names.push(...added.map(({ name }) => name));
        for (const [index, saved] of added.entries()) {
          for (const [field, password] of Object.entries(chosen[index]?.passwords ?? {}))
            if (keepPasswords && password !== null) store.put(saved.id, field, placeOf(saved), password);
        }
      } finally {
        if (names.length > 0) send('connections:changed', null);
      }
      current = null;
      return { names };
    },
    'connections:forgetImports': () => {
      current = null;
    },
  };
}

import { isDeepStrictEqual } from 'node:util';
import type { ConnectionDraft, ConnectionEntry, DraftProblem, SavedConnection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import { forgetCheck, lastCheck } from '#workspace/connections/connection-checks.ts';
import { judgeConnection, judgeDraft, placeOf, savedFrom } from '#workspace/connections/connection-draft.ts';
import { fieldText } from '#workspace/connections/connection-passwords.ts';
import { readConnectionUrl } from '#workspace/connections/connection-url.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { CommandConsent } from '../passwords/command-consent.ts';
import { unstored } from '../passwords/connection-passwords.ts';
import type { Kept, PasswordStore } from '../passwords/password-store.ts';
import type { RememberedPasswords } from '../passwords/remembered-passwords.ts';
import type { UseConsent } from '../passwords/use-consent.ts';
import type { ImportChannel } from './import-handlers.ts';

type ConnectionChannel = Exclude<
  Extract<keyof Handlers, `connections:${string}`>,
  `connections:${string}Test` | 'connections:test' | 'connections:clean' | ImportChannel
>;

/** Handlers of requests about connections. Passwords are accepted and never returned. */
export function connectionHandlers(
  home: Home,
  connections: ConnectionStore,
  store: PasswordStore,
  remembered: RememberedPasswords,
  commands: CommandConsent,
  uses: UseConsent,
  send: Send,
): Pick<Handlers, ConnectionChannel> {
  const deleted = new Map<string, Kept>();
  const changed = <T>(value: T): T => {
    send('connections:changed', null);
    return value;
  };
  const entryOf = (connection: SavedConnection): ConnectionEntry => {
    const { address, problems } = judgeConnection(connection);
    return { ...connection, address, problem: problems[0]?.message ?? null, lastCheck: lastCheck(home, connection.id) };
  };
  const passwordProblems = (draft: ConnectionDraft): readonly DraftProblem[] => {
    const why = store.cannotStore();
    const typed = Object.entries(draft.passwords).filter(([, one]) => one.place === 'stored' && one.typed);
    if (why !== null && typed.length > 0)
      return typed.map(([field]) => ({
        field,
        message: `${fieldText(draft.engine, field)} cannot be stored.`,
        hint: why,
      }));
    const before = connections.list().connections.find(({ id }) => id === draft.id);
    return unstored(draft, store).map((field) => {
      const moved = before?.passwords[field] === 'stored';
      return moved
        ? {
            field,
            message: `${fieldText(draft.engine, field)} was stored for another server and is not sent to this one.`,
            hint: 'Type it again.',
          }
        : { field, message: `${fieldText(draft.engine, field)} is to be stored, and is empty.`, hint: null };
    });
  };

  return {
    'connections:list': () => {
      const { connections: all, problem } = connections.list();
      return { connections: all.map(entryOf), problem, cannotStore: store.cannotStore() };
    },
    'connections:readUrl': ({ url, engine }) => readConnectionUrl(url, engine),
    'connections:judge': ({ draft }) => {
      const opinion = judgeDraft(draft, connections.list().connections);
      return { ...opinion, problems: [...opinion.problems, ...passwordProblems(draft)] };
    },
    'connections:save': async ({ draft }) => {
      const [problem] = [...judgeDraft(draft, connections.list().connections).problems, ...passwordProblems(draft)];
      if (problem) throw new DynoError('badInput', problem.message, { hint: problem.hint });
      const before = draft.id === null ? null : connections.get(draft.id);
      await commands.require(savedFrom(draft), before);
      await uses.connection(savedFrom(draft), before);
      const saved = connections.save({ id: draft.id, ...savedFrom(draft) });
      const stored = Object.entries(draft.passwords).filter(([, { place }]) => place === 'stored');
      store.keepOnly(
        saved.id,
        stored.map(([field]) => field),
      );
      for (const [field, { typed }] of stored) if (typed) store.put(saved.id, field, placeOf(saved), typed);
      if (before && (isTyped(draft) || !isDeepStrictEqual(saved, before))) forgetCheck(home, saved.id);
      return changed(entryOf(saved));
    },
    'connections:remember': ({ passwords }) => {
      for (const connection of connections.list().connections)
        for (const [field, password] of Object.entries(passwords[connection.id] ?? {}))
          if (connection.passwords[field] === 'ask')
            remembered.put(connection.id, field, placeOf(connection), password);
    },
    'connections:duplicate': ({ id }) => {
      const copy = connections.duplicate(id);
      store.copy(id, copy.id);
      return changed(entryOf(copy));
    },
    'connections:delete': ({ id }) => {
      const answer = connections.delete(id);
      deleted.set(answer.undo, store.keepOnly(id, []));
      remembered.forget(id);
      return changed(answer);
    },
    'connections:restore': ({ undo }) => {
      const restored = connections.restore(undo);
      store.putBack(restored.id, deleted.get(undo) ?? {});
      deleted.delete(undo);
      return changed(entryOf(restored));
    },
  };
}

/** True if the draft has a new password to store. */
const isTyped = ({ passwords }: ConnectionDraft): boolean =>
  Object.values(passwords).some(({ place, typed }) => place === 'stored' && typed !== null && typed !== '');

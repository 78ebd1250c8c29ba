import type { TriedItem, TryReport, UserTable } from '#model/statements/statements.ts';
import { attempt, request } from '../../state/bridge.ts';
import { linkToLiveRun } from '../../state/live-run.ts';
import { withAnswers } from '../../state/passwords.ts';
import { createStore } from '../../state/store.ts';
import { draft } from '../draft/draft-store.ts';

interface Tries {
  /** The request in progress. */
  readonly busy: 'try' | 'tables' | null;
  /** The item that the reports are about. */
  readonly item: TriedItem | null;
  readonly reports: readonly TryReport[];
  /** The user's tables by target, from the last read. */
  readonly tables: Readonly<Record<string, readonly UserTable[]>>;
}

export const tries = createStore<Tries>({ busy: null, item: null, reports: [], tables: {} });

async function during<T>(busy: NonNullable<Tries['busy']>, work: () => Promise<T>): Promise<T> {
  tries.update((now) => ({ ...now, busy }));
  try {
    return await work();
  } finally {
    tries.update((now) => ({ ...now, busy: null }));
  }
}

/** Runs an item once on every target of the experiment, and stores the reports. */
export async function tryItem(item: TriedItem): Promise<void> {
  const text = draft.get()?.text;
  if (text === undefined || tries.get().busy !== null) return;
  tries.update((now) => ({ ...now, item, reports: [] }));
  const send = () => withAnswers((answers) => request('statements:try', { text, target: null, item, ...answers }));
  const found = await during('try', () => attempt('Could not try it', send, linkToLiveRun));
  if (found) tries.update((now) => ({ ...now, reports: found.reports }));
}

/** Reads the user's tables of a target, for completion. */
export async function readTables(target: string): Promise<void> {
  const text = draft.get()?.text;
  if (text === undefined || tries.get().busy !== null) return;
  const send = () => withAnswers(({ passwords }) => request('statements:tables', { text, target, passwords }));
  const found = await during('tables', () => attempt('Could not read the tables', send, linkToLiveRun));
  if (found) tries.update((now) => ({ ...now, tables: { ...now.tables, [target]: found.tables } }));
}

export const stopTrying = (): void => void request('statements:cancel', null).catch(() => {});

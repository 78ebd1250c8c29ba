import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import type { FoundUse } from '#engine-api/local-use.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { oneLine } from '#model/text/printable.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import { judgeConnection, placeOf } from '#workspace/connections/connection-draft.ts';
import { usesOfConnection, useText } from '#workspace/connections/target-uses.ts';
import type { TrustedTarget } from '#workspace/trust/gate.ts';

/**
 * The user's consent to targets that load libraries of this machine, or log in as this machine or account. The page can
 * request the question, but cannot answer it. Files that are only read need no consent.
 */
export interface UseConsent {
  /**
   * Asks about the uses of a connection that the user has not agreed to for this server, and that the saved connection
   * (`before`; null: it is new) does not make there.
   * @throws DynoError 'cancelled' where the user does not agree.
   */
  connection(connection: Omit<Connection, 'id'>, before: Connection | null): Promise<void>;
  /**
   * Asks about the uses of the targets that an experiment defines. Saved connections needed consent when they were
   * saved.
   */
  targets(targets: readonly TrustedTarget[]): Promise<void>;
  /** Asks about a load host whose bus needs a login with a file of credentials. */
  loadHost(host: SavedLoadHost): Promise<void>;
}

/** The most hashes that are kept; the user is asked again about older ones. */
const mostKept = 2_000;

/** `file`: keeps the hashes of the user's consents, so that each question is asked once. */
export function createUseConsent(window: BrowserWindow, file: string): UseConsent {
  const read = (): readonly string[] => {
    const kept = readJson(file);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  };
  const ask = async (
    name: string,
    server: string,
    uses: readonly { readonly text: string; readonly hash: string }[],
  ) => {
    const agreed = new Set(read());
    const open = uses.filter(({ hash }) => !agreed.has(hash));
    if (open.length === 0) return;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: `Let “${oneLine(name)}” use this machine?`,
      detail: `${open.map(({ text }) => text).join('\n')}\n\nThe server is ${server}. Agree only if you know where these values come from.`,
      buttons: ['Cancel', 'Allow'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response !== 1)
      throw new DynoError('cancelled', 'The use of this machine was not allowed, so nothing was done.');
    mkdirSync(dirname(file), { recursive: true });
    writeAtomically(file, JSON.stringify([...read(), ...open.map(({ hash }) => hash)].slice(-mostKept)));
  };
  const require = async (asked: Omit<Connection, 'id'>, before: readonly string[]) => {
    const uses = askedUses(asked).map((use) => ({ text: useText(use), hash: hashOf(asked, use) }));
    const server = judgeConnection(asked).address ?? 'not known yet';
    await ask(
      asked.name,
      server,
      uses.filter(({ hash }) => !before.includes(hash)),
    );
  };
  return {
    connection: (connection, before) =>
      require(connection, before === null ? [] : askedUses(before).map((use) => hashOf(before, use))),
    async targets(targets) {
      for (const { name, engine, spec } of targets) {
        if (typeof spec === 'string') continue;
        const { name: _, engine: __, ...values } = spec;
        await require({ name, engine, values: values as Connection['values'], passwords: {} }, []);
      }
    },
    async loadHost(host) {
      if (!('nats' in host) || host.credentials === undefined) return;
      const text = oneLine(`credentials ${host.credentials} is a file by which Dyno logs in (identity)`);
      const hash = hashed(['credentials', host.credentials, host.nats]);
      await ask(host.name, oneLine(host.nats), [{ text, hash }]);
    },
  };
}

const askedUses = (connection: Pick<Connection, 'engine' | 'values'>): readonly FoundUse[] =>
  usesOfConnection(connection).filter(({ kind }) => kind !== 'file');

/** A use by its field and value, and the server that a login goes to. */
const hashOf = (connection: Omit<Connection, 'id'>, { field, kind, value }: FoundUse): string =>
  hashed([field, kind, value, placeOf(connection)]);

const hashed = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

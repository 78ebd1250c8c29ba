import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import type { FoundUse } from '#engine-api/local-use.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { oneLine } from '#model/text/one-line.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import { judgeConnection, placeOf } from '#workspace/connections/connection-draft.ts';
import { usesOfConnection, useText } from '#workspace/connections/target-uses.ts';
import type { TrustedTarget } from '#workspace/trust/gate.ts';

/**
 * The user's consent to targets that load libraries of this machine, or log in as this machine or account. The page can
 * have it asked for, and cannot give it. Files that are only read are not asked about.
 */
export interface UseConsent {
  /**
   * Asks about the uses of a connection that the user has not agreed to for this server, and that the saved connection
   * (`before`; null: it is new) does not make there.
   * @throws DynoError 'cancelled' where the user does not agree.
   */
  connection(connection: Omit<Connection, 'id'>, before: Connection | null): Promise<void>;
  /** The same for the targets that an experiment writes out. Saved connections were asked about at their saving. */
  targets(targets: readonly TrustedTarget[]): Promise<void>;
}

/** Hashes that are kept, the newest: whoever has more is asked again. */
const mostKept = 2_000;

/** `file`: keeps the hashes of what the user has agreed to, so that it is asked once. */
export function createUseConsent(window: BrowserWindow, file: string): UseConsent {
  const read = (): readonly string[] => {
    const kept = readJson(file);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  };
  const require = async (asked: Omit<Connection, 'id'>, before: readonly string[]) => {
    const agreed = new Set([...read(), ...before]);
    const open = askedUses(asked).filter((use) => !agreed.has(hashOf(asked, use)));
    if (open.length === 0) return;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: `Let “${oneLine(asked.name)}” use this machine?`,
      detail: `${open.map(useText).join('\n')}\n\nThe server is ${judgeConnection(asked).address ?? 'not known yet'}. Agree only if you know where these values come from.`,
      buttons: ['Cancel', 'Allow'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response !== 1)
      throw new DynoError('cancelled', 'The use of this machine was not allowed, so nothing was done.');
    mkdirSync(dirname(file), { recursive: true });
    writeAtomically(file, JSON.stringify([...read(), ...open.map((use) => hashOf(asked, use))].slice(-mostKept)));
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
  };
}

const askedUses = (connection: Pick<Connection, 'engine' | 'values'>): readonly FoundUse[] =>
  usesOfConnection(connection).filter(({ kind }) => kind !== 'file');

/** A use by its field and value, and the server that a login goes to. */
const hashOf = (connection: Omit<Connection, 'id'>, { field, kind, value }: FoundUse): string =>
  createHash('sha256')
    .update(JSON.stringify([field, kind, value, placeOf(connection)]))
    .digest('base64url');

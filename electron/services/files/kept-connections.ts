import { rmSync } from 'node:fs';
import * as v from 'valibot';
import type { ConnectionDraft } from '#model/connections.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import { keptConnections } from '#protocol/ipc-arguments.ts';
import { looksSecret } from './kept-drafts.ts';

/** The unsaved connections of the forms, in a file that survives any end of the app. It contains no password. */
interface KeptConnections {
  /** Typed passwords are left out; a form with a secret in clear text in another field is not written. */
  keep(drafts: readonly ConnectionDraft[]): void;
  list(): readonly ConnectionDraft[];
  /** Names of the connections that are kept only in part. */
  unkept(): readonly string[];
  forget(): void;
}

const withoutTyped = (draft: ConnectionDraft): ConnectionDraft => ({
  ...draft,
  passwords: Object.fromEntries(
    Object.entries(draft.passwords).map(([field, { place }]) => [field, { place, typed: null }]),
  ),
});

const hasSecret = ({ values, ssh, socks, passwords }: ConnectionDraft): boolean =>
  looksSecret(JSON.stringify([values, ssh, socks])) ||
  Object.values(passwords).some(({ place }) => typeof place === 'object' && looksSecret(place.command.join(' ')));

const hasTyped = ({ passwords }: ConnectionDraft): boolean =>
  Object.values(passwords).some(({ typed }) => typed !== null);

/** `file`: readable only by this user. A missing or damaged file counts as empty. */
export function createKeptConnections(file: string): KeptConnections {
  const read = v.safeParse(keptConnections, readJson(file));
  let kept: readonly ConnectionDraft[] = read.success ? read.output : [];
  let left: readonly string[] = [];
  return {
    keep(drafts) {
      left = drafts.filter((draft) => hasSecret(draft) || hasTyped(draft)).map(({ name }) => name || 'New connection');
      kept = drafts.filter((draft) => !hasSecret(draft)).map(withoutTyped);
      if (kept.length === 0) rmSync(file, { force: true });
      else writeAtomically(file, JSON.stringify(kept));
    },
    list: () => kept,
    unkept: () => left,
    forget() {
      kept = [];
      left = [];
      rmSync(file, { force: true });
    },
  };
}

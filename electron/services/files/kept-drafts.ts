import { rmSync } from 'node:fs';
import * as v from 'valibot';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import { keptDrafts } from '#protocol/ipc-arguments.ts';
import type { KeptDraft } from '#protocol/opened.ts';

/** The unsaved experiments of the builder, in a file that survives any end of the app. */
interface KeptDrafts {
  /** A draft that contains a secret in clear text is not written; its earlier version stays. */
  keep(drafts: readonly KeptDraft[]): void;
  list(): readonly KeptDraft[];
  /** Names of the drafts whose current text is not kept. */
  unkept(): readonly string[];
  /** Discards the drafts by the user's choice. */
  forget(): void;
}

/** `file`: readable only by this user. A missing or damaged file counts as empty. */
export function createKeptDrafts(file: string): KeptDrafts {
  const read = v.safeParse(keptDrafts, readJson(file));
  let kept: readonly KeptDraft[] = read.success ? read.output : [];
  let left: readonly string[] = [];
  // The page sends all drafts at each change, and only one text has changed.
  let judged: ReadonlyMap<string, boolean> = new Map();
  return {
    keep(drafts) {
      const texts = new Set(drafts.flatMap(({ text, savedText }) => [text, savedText]));
      judged = new Map(Array.from(texts, (text) => [text, judged.get(text) ?? mayHoldSecret(text)]));
      const isSecret = ({ text, savedText }: KeptDraft) => judged.get(text) === true || judged.get(savedText) === true;
      left = drafts.filter(isSecret).map(nameOf);
      kept = drafts.flatMap((draft) => (isSecret(draft) ? (kept.find(({ key }) => key === draft.key) ?? []) : draft));
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

const secretLine =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|private_?key)["']?\s*[:=]\s*["']?(?!\$\{env:)[^\s"'{}[\],]/i;
const secretInUrl = /:\/\/[^/?#@\s]*:(?!\$\{env:)[^@\s]+@/;

const nameOf = ({ text, savedText }: KeptDraft): string => {
  const { value } = readYaml(savedText || text);
  return isMapping(value) && typeof value.name === 'string' ? value.name.slice(0, 100) : 'New experiment';
};

/** True if a text that is not YAML seems to contain a secret in clear text. */
export const looksSecret = (text: string): boolean => secretLine.test(text) || secretInUrl.test(text);

/**
 * True if a target has a secret in clear text; for a text that is currently not YAML, if any part seems to have one.
 */
export function mayHoldSecret(text: string): boolean {
  const { value } = readYaml(text);
  if (value === undefined) return looksSecret(text);
  return isMapping(value) && (holdsPlainSecret(value.targets) || holdsPlainSecret(sizesOf(value)));
}

/** Each size may have targets of its own. */
const sizesOf = ({ sizes }: Readonly<Record<string, unknown>>): unknown =>
  isMapping(sizes) ? Object.values(sizes).map((size) => (isMapping(size) ? size.targets : null)) : null;

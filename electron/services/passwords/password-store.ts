import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { safeStorage } from 'electron';
import * as v from 'valibot';
import { DynoError } from '#model/error.ts';
import { readJson, setAside, writeAtomically } from '#platform/json-file.ts';

/** A password on disk. `place` is a digest of the server that it was stored for; it is sent to no other server. */
const sealedSchema = v.strictObject({ sealed: v.string(), place: v.string() });
type Sealed = v.InferOutput<typeof sealedSchema>;
const fileSchema = v.record(v.string(), v.record(v.string(), sealedSchema));

/** The stored passwords of one connection; opaque to other files. */
export type Kept = Readonly<Record<string, Sealed>>;

/** Passwords of connections, encrypted by the operating system's keyring. Only this file decrypts them. */
export interface PasswordStore {
  /** The reason why this machine cannot store passwords; null if it can. */
  cannotStore(): string | null;
  put(connection: string, field: string, place: string, password: string): void;
  /** The password; null without one that was stored for this place and that this system can decrypt. */
  open(connection: string, field: string, place: string): string | null;
  /** True if a password is stored for this place, without decrypting it. */
  has(connection: string, field: string, place: string): boolean;
  /** Deletes the passwords of all other fields. The result can restore them. */
  keepOnly(connection: string, fields: readonly string[]): Kept;
  putBack(connection: string, kept: Kept): void;
  copy(from: string, to: string): void;
}

const instead = 'Dyno asks for it and can remember it until it quits, or reads it from the environment.';

export function createPasswordStore(file: string): PasswordStore {
  const read = () => v.safeParse(fileSchema, readJson(file));
  /** Passwords that cannot be read count as none, and are asked for. */
  const readAll = (): Readonly<Record<string, Kept>> => {
    const found = read();
    return found.success ? found.output : {};
  };
  const write = (all: Readonly<Record<string, Kept>>) => {
    if (existsSync(file) && !read().success) setAside(file);
    writeAtomically(file, `${JSON.stringify(all, null, 1)}\n`);
  };
  const keptOf = (connection: string): Kept => {
    const all = readAll();
    return Object.hasOwn(all, connection) ? (all[connection] ?? {}) : {};
  };
  const replace = (connection: string, kept: Kept) => {
    const { [connection]: before, ...others } = readAll();
    if (Object.keys(kept).length > 0) write({ ...others, [connection]: kept });
    else if (before) write(others);
  };
  const find = (connection: string, field: string, place: string): Sealed | null => {
    const kept = keptOf(connection);
    const sealed = Object.hasOwn(kept, field) ? kept[field] : undefined;
    return sealed?.place === digest(place) ? sealed : null;
  };

  return {
    cannotStore,
    put(connection, field, place, password) {
      const why = cannotStore();
      if (why) throw new DynoError('unsupported', 'The password cannot be stored here.', { hint: why });
      const sealed = safeStorage.encryptString(password).toString('base64');
      replace(connection, { ...keptOf(connection), [field]: { sealed, place: digest(place) } });
    },
    open(connection, field, place) {
      const found = find(connection, field, place);
      if (!found || cannotStore() !== null) return null;
      try {
        return safeStorage.decryptString(Buffer.from(found.sealed, 'base64'));
      } catch {
        return null; // encrypted by another user or machine
      }
    },
    has: (connection, field, place) => find(connection, field, place) !== null,
    keepOnly(connection, fields) {
      const kept = keptOf(connection);
      replace(connection, Object.fromEntries(Object.entries(kept).filter(([field]) => fields.includes(field))));
      return kept;
    },
    putBack: replace,
    copy: (from, to) => replace(to, keptOf(from)),
  };
}

/** On Linux without a keyring, Chromium "encrypts" with a publicly known password, which protects nothing. */
function cannotStore(): string | null {
  if (!safeStorage.isEncryptionAvailable()) return `This system cannot keep a password. ${instead}`;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text')
    return `This system has no keyring (GNOME Keyring, KWallet) to keep a password in. ${instead}`;
  return null;
}

const digest = (place: string): string => createHash('sha256').update(place).digest('hex');

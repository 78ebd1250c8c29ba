import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { DynoError } from '#model/error.ts';

/** The most bytes that may wait on each side of a link. */
export const usualSpoolBytes = 256_000_000;

/**
 * Messages that wait on disk while the bus cannot accept them, the oldest first, in a ring file. They are already
 * sealed. The system deletes the file when the process ends, however it ends; Windows, which deletes no open file, does
 * so with the spool.
 */
export class Spool implements Disposable {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #mostBytes: number;
  #entries: { readonly at: number; readonly length: number }[] = [];
  #end = 0;

  /** `mostBytes`: the size that `add` never exceeds. */
  constructor(file: string, mostBytes: number) {
    this.#file = file;
    this.#mostBytes = mostBytes;
    this.#descriptor = openSync(file, 'wx+', 0o600);
    if (process.platform !== 'win32') rmSync(file);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Throws 'diskFull' if the spool, or its disk, is full. */
  add(message: Uint8Array): void {
    const at = this.#placeFor(message.length);
    if (at === null)
      throw new DynoError('diskFull', `The spool ${this.#file} is full: ${this.#mostBytes} bytes are its most.`);
    for (let written = 0; written < message.length; )
      written += writeSync(this.#descriptor, message, written, message.length - written, at + written);
    this.#entries.push({ at, length: message.length });
    this.#end = at + message.length;
  }

  /** The position behind the newest message, or before the oldest one; null: there is no room. */
  #placeFor(length: number): number | null {
    const first = this.#entries[0]?.at ?? 0;
    const isTurned = this.#entries.length > 0 && this.#end <= first;
    if (this.#end + length <= (isTurned ? first : this.#mostBytes)) return this.#end;
    return !isTurned && length <= first ? 0 : null;
  }

  /** The oldest message; null: there is none. */
  first(): Uint8Array | null {
    const [entry] = this.#entries;
    if (entry === undefined) return null;
    const message = new Uint8Array(entry.length);
    readSync(this.#descriptor, message, 0, entry.length, entry.at);
    return message;
  }

  /** Removes the oldest message. */
  shift(): void {
    this.#entries.shift();
    if (this.#entries.length > 0) return;
    ftruncateSync(this.#descriptor);
    this.#end = 0;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
    rmSync(this.#file, { force: true });
  }
}

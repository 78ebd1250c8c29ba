import type { Fingerprint } from './fingerprint.ts';

/** The product that a server says it is, with the program that answers in its place, if there is one. */
export const productText = ({ product, emulator }: Pick<Fingerprint, 'product' | 'emulator'>): string =>
  emulator === null ? product : `${product} (emulator: ${emulator})`;

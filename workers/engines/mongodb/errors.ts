import { Double, Int32, MongoBulkWriteError, MongoError, MongoServerSelectionError } from 'mongodb';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { errorData, type Meaning, meaningOfWords, tlsCodes } from '../shared/error-table.ts';
import { byClass, byErrno, byMessage, byNumber, lost, tls } from './error-codes.ts';

/**
 * Makes the data of an error from what the driver throws. Pure. Messages are the server's or the driver's own; none
 * holds a password.
 */
export function toError(given: unknown): ErrorData {
  const thrown = unwrapped(given);
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  const layers = layersOf(thrown);
  // The last error while the driver looked for a server. A server was there before, because connect() reports the first
  // failure itself.
  if (thrown instanceof MongoServerSelectionError) return data(lost, layers[0]!);
  for (const layer of layers) {
    const told = meaningOfWords(byMessage, layer.message);
    if (told) return data(told, layer);
  }
  for (const layer of layers) {
    const meaning = ofCode(layer);
    if (meaning) return data(meaning, layer);
  }
  for (const layer of layers) {
    const meaning = byClass.get(layer.name);
    if (meaning) return data(saysTls.test(layer.message) ? tls : meaning, layer);
  }
  const unknown = layers.find(({ code }) => typeof code === 'number');
  return unknown ? data({ kind: 'other' }, unknown) : toErrorData(thrown);
}

/**
 * The error of a bulk write takes the place of the error that it keeps as the server's answer, even if no answer came.
 */
const unwrapped = (thrown: unknown): unknown =>
  thrown instanceof MongoBulkWriteError && thrown.errorResponse instanceof Error ? thrown.errorResponse : thrown;

/** The thrown error, or one of its causes. */
interface Layer {
  readonly name: string;
  /** The server's number, or Node's word. */
  readonly code: number | string | null;
  /** "DuplicateKey": the server's name for the number. */
  readonly codeName: string | null;
  readonly message: string;
}

/**
 * The errors, outermost first: of several writes the first that failed, of several addresses the first that was tried.
 */
function layersOf(thrown: Error): readonly Layer[] {
  const found = new Map<Error, readonly Layer[]>();
  let next: unknown = thrown;
  while (next instanceof Error && !found.has(next)) {
    const { cause, errors, writeErrors }: { cause?: unknown; errors?: unknown; writeErrors?: unknown } = next;
    // The client's bulkWrite has a map of errors; a collection's bulkWrite has them in the error itself.
    const first: unknown = writeErrors instanceof Map ? writeErrors.values().next().value : null;
    found.set(next, [
      layerOf(next, next),
      ...(typeof first === 'object' && first !== null ? [layerOf(first, next)] : []),
    ]);
    next = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return [...found.values()].flat();
}

function layerOf(thing: object, error: Error): Layer {
  const { code: given, codeName, message }: { code?: unknown; codeName?: unknown; message?: unknown } = thing;
  // The number of an error has a type of BSON if the answer keeps BSON's types.
  const code = given instanceof Int32 || given instanceof Double ? given.value : given;
  return {
    name: error.name,
    // Other errors have numbers too: 20 is DOM's AbortError.
    code: typeof code === 'string' || (typeof code === 'number' && error instanceof MongoError) ? code : null,
    codeName: typeof codeName === 'string' ? codeName : null,
    message: typeof message === 'string' && message !== '' ? message : error.message,
  };
}

function ofCode({ code }: Layer): Meaning | undefined {
  if (typeof code === 'number') return byNumber.get(code);
  if (code === null) return undefined;
  return byErrno.get(code) ?? (tlsCodes.test(code) ? tls : undefined);
}

/** Some of TLS's errors have no code, only a message. */
const saysTls = /\bSSL\b|\bTLS\b|certificate/i;

function data(meaning: Meaning, { code, codeName, message }: Layer): ErrorData {
  const named = code === null ? null : codeName === null ? String(code) : `${code} ${codeName}`;
  const isLost = meaning.kind === 'serverGone';
  return errorData(meaning, named, isLost ? `The connection to the server was lost (${message}).` : message);
}

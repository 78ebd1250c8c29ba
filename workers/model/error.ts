/**
 * The kinds of errors, the same for every engine. True: a repeated trial may succeed, because the cause is external.
 */
const kinds = {
  // The experiment or an option is wrong. In a run, whose experiment never changes, the cause is a file, a variable, or
  // a name at the server.
  badInput: true,
  fileContents: false, // the contents of a file that the run names are wrong, and a resumed run has the same file
  notConfirmed: true, // a production connection whose host was not typed
  unreachable: true, // no such host, refused, network lost
  authentication: true,
  permission: true, // refused by a server, a proxy, an agent or a rule of Dyno
  fileAccess: true, // this system refuses to read or write a file of this machine
  tls: true,
  connectionLimit: false, // the server accepts no more connections
  limit: false, // memory, parameters, bytes of a message…
  diskFull: true,
  notOurs: true, // an object of this name exists, and Dyno did not create it
  uniqueViolation: false,
  constraint: false,
  deadlock: false,
  lockTimeout: false,
  serialization: false,
  statementTimeout: false, // a limit of session, user or server, which every repeat would meet
  cancelled: true,
  timeout: true,
  serverGone: true, // shut down or killed while in use
  workerGone: true, // a worker process died
  unsupported: false, // not supported by the engine
  mismatch: false, // rows or checksum differ from the acknowledged ones
  wrongResult: false, // a custom statement or check returned or changed unexpected rows
  syntax: false,
  internal: true, // an error in Dyno itself
  other: false,
} as const satisfies Record<string, boolean>;
/** One kind of error. */
export type ErrorKind = keyof typeof kinds;
/** Every kind of error. */
export const errorKinds = Object.keys(kinds) as readonly ErrorKind[];

/** An error as data: structured clone forgets `code`, so errors never cross a process as Error objects. */
export interface ErrorData {
  readonly kind: ErrorKind;
  /** The driver's or server's own code (SQLSTATE, ORA-…, errno), if there is one. */
  readonly code: string | null;
  /** The attempted action and the server's answer, without secrets. */
  readonly message: string;
  /** The next thing to try, in a DBA's terms; null: no suggestion. */
  readonly hint: string | null;
  /** True if the same call may succeed on a retry (deadlock, serialisation, time-out). */
  readonly retryable: boolean;
}

/** True if a resumed run repeats a trial that failed with this kind: Dyno, its machine or its server caused it. */
export const mayGoOtherwise = (kind: ErrorKind): boolean => kinds[kind];

/** True if the server rolled back one of two conflicting transactions: another attempt may succeed. */
export const isWriteConflict = ({ kind, retryable }: ErrorData): boolean =>
  retryable && (kind === 'deadlock' || kind === 'serialization');

/** Thrown inside a process; `data` crosses to other processes. */
export class DynoError extends Error {
  override readonly name = 'DynoError';
  readonly data: ErrorData;
  constructor(kind: ErrorKind, message: string, more: Partial<Omit<ErrorData, 'kind' | 'message'>> = {}) {
    super(message);
    this.data = { kind, message, code: more.code ?? null, hint: more.hint ?? null, retryable: more.retryable ?? false };
  }
}

/** Converts any thrown value to data. Engines translate their driver's errors first (see errors.ts of each engine). */
export function toErrorData(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError) return thrown.data;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const kind =
    error.name === 'AbortError'
      ? 'cancelled'
      : code === 'ENOSPC' || code === 'EDQUOT'
        ? 'diskFull'
        : code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
          ? 'fileAccess'
          : 'internal';
  return { kind, code, message: error.message, hint: null, retryable: false };
}

/** Throws an {@link ErrorData} again on the receiving side of a process boundary. */
export const fromErrorData = (data: ErrorData): DynoError => new DynoError(data.kind, data.message, data);

/** The answer of a call that may fail, as data. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorData };

/** The default case of a switch. A missing case of a union is then a compile error. Throws at run time. */
export function assertNever(value: never): never {
  throw new DynoError('internal', `Unexpected value ${JSON.stringify(value)}`);
}

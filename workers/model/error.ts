/** The kinds of errors, the same for every engine. `code` keeps the driver's own code. */
export const errorKinds = [
  'badInput', // the experiment or an option is wrong
  'notConfirmed', // a production connection whose host nobody has typed
  'unreachable', // no such host, refused, network lost
  'authentication',
  'permission',
  'tls',
  'limit', // connections, memory, parameters…
  'diskFull',
  'notOurs', // an object of that name exists that Dyno did not create
  'uniqueViolation',
  'constraint',
  'deadlock',
  'lockTimeout',
  'serialization',
  'cancelled',
  'timeout',
  'serverGone', // shut down or killed while in use
  'workerGone', // a worker process died
  'unsupported', // the engine cannot
  'mismatch', // rows or checksum differ from what was acknowledged
  'wrongResult', // a custom statement or check returned or changed other rows than expected
  'syntax',
  'internal', // a defect of Dyno's own
  'other',
] as const;
/** One kind of error. */
export type ErrorKind = (typeof errorKinds)[number];

/** An error as data: structured clone forgets `code`, so errors never cross a process as Error objects. */
export interface ErrorData {
  readonly kind: ErrorKind;
  /** The driver's or server's own code (SQLSTATE, ORA-…, errno), where there is one. */
  readonly code: string | null;
  /** The attempted action and the server's answer, without secrets. */
  readonly message: string;
  /** What to try next, in a DBA's terms; null: no suggestion. */
  readonly hint: string | null;
  /** True where the same call may succeed when tried again (deadlock, serialisation, time-out). */
  readonly retryable: boolean;
}

/** True if a repeated trial may succeed, because the cause is outside of the trial. */
const otherwise = {
  // The experiment of a run never changes, and is valid: the cause is a file, a variable, or a name at the server.
  badInput: true,
  notConfirmed: true,
  unreachable: true,
  authentication: true,
  permission: true,
  tls: true,
  limit: false,
  diskFull: true,
  notOurs: true,
  uniqueViolation: false,
  constraint: false,
  deadlock: false,
  lockTimeout: false,
  serialization: false,
  cancelled: true,
  timeout: true,
  serverGone: true,
  workerGone: true,
  unsupported: false,
  mismatch: false,
  wrongResult: false,
  syntax: false,
  internal: true,
  other: false,
} as const satisfies Record<ErrorKind, boolean>;

/** True if a resumed run repeats a trial that failed with this kind: Dyno, its machine or its server caused it. */
export const mayGoOtherwise = (kind: ErrorKind): boolean => otherwise[kind];

/** True if the server undid one of two conflicting pieces of work: another attempt may succeed. */
export const isWriteConflict = ({ kind, retryable }: ErrorData): boolean =>
  retryable && (kind === 'deadlock' || kind === 'serialization');

/** Thrown inside a process; `data` is what crosses to another one. */
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
          ? 'permission'
          : 'internal';
  return { kind, code, message: error.message, hint: null, retryable: false };
}

/** Throws an {@link ErrorData} again on the receiving side of a process boundary. */
export const fromErrorData = (data: ErrorData): DynoError => new DynoError(data.kind, data.message, data);

/** The answer of a call that may fail, as data. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorData };

/** For the default case of a switch: forgetting a case of a union is a compile error. Throws at run time. */
export function assertNever(value: never): never {
  throw new DynoError('internal', `Unexpected value ${JSON.stringify(value)}`);
}

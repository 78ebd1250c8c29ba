import { DynoError, toErrorData } from '#model/error.ts';

/** The error of the contents of a file, in a run that keeps the file's checksum. Other errors stay as they are. */
export function ofFileContents(thrown: unknown): unknown {
  const { kind, message, hint, ...data } = toErrorData(thrown);
  if (kind !== 'badInput') return thrown;
  const anew = 'Then run the experiment anew, because a resumed run needs the file as it was.';
  return new DynoError('fileContents', message, { ...data, hint: hint === null ? anew : `${hint} ${anew}` });
}

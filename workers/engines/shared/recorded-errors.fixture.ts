import { expect, test } from 'vitest';
import type { ErrorData, ErrorKind } from '#model/error.ts';

/** Messages by kind, then by code. Kinds end in ", retryable" where the same call may succeed when tried again. */
type RecordedErrors<Message> = {
  readonly [Meaning in ErrorKind | `${ErrorKind}, retryable`]?: Readonly<Record<string, Message | readonly Message[]>>;
};

type RecordedError<Message> = readonly [kind: ErrorKind, retryable: boolean, code: string, message: Message];

/** The cases of a table-driven test. */
export const casesOf = <Message extends string | object>(
  recorded: RecordedErrors<Message>,
): readonly RecordedError<Message>[] =>
  Object.entries(recorded).flatMap(([meaning, byCode]) => {
    const [kind, retryable] = meaning.split(', ');
    return Object.entries(byCode).flatMap(([code, messages]) =>
      [messages]
        .flat()
        .map((message) => [kind as ErrorKind, retryable !== undefined, code, message as Message] as const),
    );
  });

const selfEvident: readonly ErrorKind[] = ['constraint', 'uniqueViolation', 'syntax', 'cancelled'];

/** Tests that errors have a hint, but for those of kinds that need none. */
export function testHints(
  errors: readonly (readonly [kind: ErrorKind, error: ErrorData])[],
  plain: readonly ErrorKind[] = [],
): void {
  test('what a DBA has to act on comes with a hint', () => {
    for (const [kind, error] of errors)
      if (![...selfEvident, ...plain].includes(kind)) expect(error.hint, error.message).toBeTruthy();
  });
}

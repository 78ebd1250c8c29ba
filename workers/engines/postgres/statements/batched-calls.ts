import type { Caller, Operation } from '#engine-api/operation.ts';
import { promised } from '../../shared/promised.ts';
import { CallRequest, type NamedStatement } from '../wire/call-request.ts';
import type { LeanPath } from '../wire/lean-path.ts';
import { parseAgain } from '../wire/messages.ts';

/** A call of a batch: the messages that bind and execute its statement, and the types that Parse declares for it. */
export interface BatchedCall {
  readonly messages: Uint8Array;
  readonly types: readonly number[];
}

/**
 * The calls of a batch share one statement, which the server has without declared types. A call that declares other
 * types than the call before brings the statement with them, and the server parses it once more.
 */
export function batchedCalls(
  lean: Pick<LeanPath, 'hold' | 'sendHeld'>,
  { name, text }: Pick<NamedStatement, 'name' | 'text'>,
): Pick<Operation<BatchedCall>, 'run' | 'start' | 'send'> {
  /** The types of the statement that the server has. Null: they are not known. */
  let declared: string | null = '';
  const start = ({ messages, types }: BatchedCall, caller: Caller) => {
    const wanted = types.join();
    const own = wanted === declared ? messages : Buffer.concat([parseAgain(name, text, types), messages]);
    declared = wanted;
    const counting: Caller<number | null> = {
      answered: (rows) => (caller as Caller<number | null>).answered(rows),
      failed(thrown) {
        // The server skips the messages behind an error, and may have lost the statement.
        declared = null;
        caller.failed(thrown);
      },
    };
    lean.hold(new CallRequest(own, counting));
  };
  const send = () => lean.sendHeld();
  return {
    start,
    send,
    run: promised((call: BatchedCall, caller: Caller) => {
      start(call, caller);
      send();
    }),
  };
}

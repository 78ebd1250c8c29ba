import type { EventEmitter } from 'node:events';
import type { Connection, Request } from 'tedious';

/** The events of a request before it ends. */
export interface Heard {
  readonly columns?: readonly object[];
  readonly rows?: readonly (readonly unknown[])[];
  /** The row count of each DONE token; undefined: the token has none. */
  readonly counts?: readonly (number | undefined)[];
  /** Return values, such as the handle of sp_prepare. */
  readonly returned?: unknown;
  readonly error?: Error;
}

/** A connection whose server answers each request by `answer`, and what it was sent. */
export function connectionDouble(answer: (body: Buffer, type: number) => Heard = () => ({})) {
  const sent: Buffer[] = [];
  const connection = {
    config: { options: {} },
    currentTransactionDescriptor: () => Buffer.alloc(8),
    makeRequest(request: Request, type: number, payload: Iterable<Buffer>) {
      const body = [...payload].at(-1)!;
      sent.push(body);
      const { columns = [], rows = [], counts = [], returned, error } = answer(body, type);
      setImmediate(() => {
        // The driver's types know the events of its own tokens alone.
        const told: EventEmitter = request;
        const tell = (event: string, ...values: readonly unknown[]) => told.emit(event, ...values);
        if (columns.length > 0) tell('columnMetadata', columns);
        for (const row of rows)
          tell(
            'row',
            row.map((value) => ({ value })),
          );
        if (returned !== undefined) tell('returnValue', '', returned, {});
        for (const count of counts) tell('doneInProc', count, true);
        request.callback(error);
      });
    },
  };
  return { sent, connection: connection as unknown as Connection };
}

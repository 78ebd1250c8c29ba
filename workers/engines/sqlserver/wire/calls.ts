import type { Connection } from 'tedious';
import type { Caller } from '#engine-api/operation.ts';
import { promised } from '../../shared/promised.ts';
import type { LeanPath } from './lean-path.ts';
import { bodyOf, messageHead } from './packets.ts';
import { ask, rpcRequest, send } from './request.ts';
import { severalCalls } from './rpc.ts';

/** The calls of an operation. */
export interface OperationCalls {
  /** The beginning of a call whose body begins so. */
  head(body: Buffer): Buffer;
  /** The call whose bytes begin with a head. It is sent once. */
  call(bytes: Buffer): Buffer;
  /** The body of a call. */
  bodyOf(call: Buffer): Buffer;
  /** Sends a call; resolves with the number of rows, which is 0 if the server has not counted them. */
  run(call: Buffer): Promise<number>;
  /** run() without a promise, as Operation.start(). Absent: the driver has promises of its own. */
  start?(call: Buffer, caller: Caller): void;
  /** Sends the calls that were started in one message, as Operation.send(). Absent: start() sends. */
  send?(): void;
}

/** The calls of a session that are messages of one type, on one of the two call paths. */
export interface Calls extends OperationCalls {
  /**
   * Sends a call; resolves with the number of rows that the server has counted, or else of those that it has returned.
   * Null: neither.
   */
  ask(call: Buffer): Promise<number | null>;
  /** ask() without a promise. */
  startAsking?(call: Buffer, caller: Caller<number | null>): void;
}

/** Calls that are the driver's requests. */
export const driverCalls = (connection: Connection, type: number): Calls => ({
  head: (body) => body,
  call: (bytes) => bytes,
  bodyOf: (call) => call,
  run: (call) => send(connection, type, call),
  async ask(call) {
    let returned: number | null = null;
    const told = await ask(connection, type, call, (request) => {
      request.on('columnMetadata', () => {
        returned ??= 0;
      });
      request.on('row', () => {
        returned = (returned ?? 0) + 1;
      });
    });
    return told ?? returned;
  },
});

const touched = (told: number | null): number => told ?? 0;
const toldOrReturned = (told: number | null, returned: number | null): number | null => told ?? returned;

/** Calls whose packets are written as they are. */
export function leanCalls(path: LeanPath, type: number): Calls {
  const start = (call: Buffer, caller: Caller) => path.send(call, caller, touched);
  const startAsking = (call: Buffer, caller: Caller<number | null>) => path.send(call, caller, toldOrReturned);
  return {
    head: (body) => messageHead(type, body),
    call: (bytes) => path.packets(bytes),
    bodyOf: (call) => bodyOf(call, path.packetBytes),
    run: promised(start),
    start,
    ask: promised(startAsking),
    startAsking,
  };
}

/** Procedure calls that share a message. A call is its body. */
export function batchedCalls(path: Pick<LeanPath, 'packets' | 'sendBatch'>): OperationCalls {
  const bodies: Buffer[] = [];
  const callers: Caller[] = [];
  const start = (call: Buffer, caller: Caller) => {
    bodies.push(call);
    callers.push(caller);
  };
  const send = () => {
    const message = severalCalls(messageHead(rpcRequest, none), bodies.splice(0));
    path.sendBatch(path.packets(message), callers.splice(0));
  };
  return {
    head: (body) => body,
    call: (bytes) => bytes,
    bodyOf: (call) => call,
    start,
    send,
    run: promised((call: Buffer, caller: Caller) => {
      start(call, caller);
      send();
    }),
  };
}

const none = Buffer.alloc(0);

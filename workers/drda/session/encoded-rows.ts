import type { ByteWriter } from '../bytes/byte-writer.ts';
import { chained } from '../dss/write-frames.ts';
import { DrdaError } from '../errors.ts';
import type { Chain } from './encode-rows.ts';
import { ChangesReply } from './replies.ts';
import type { Transport } from './transport.ts';

/** Rows of parameters, ready for the wire. The statement that made them can execute them any number of times. */
export class EncodedRows {
  readonly rows: number;
  /** Bytes of the request, EXCSQLSTT included. */
  readonly bytes: number;
  readonly #statement: object;
  readonly #chains: readonly Chain[];

  constructor(statement: object, chains: readonly Chain[]) {
    this.#statement = statement;
    this.#chains = chains;
    this.rows = chains.reduce((sum, { rows }) => sum + rows, 0);
    this.bytes = chains.reduce((sum, { commitAt }) => sum + commitAt, 0);
  }

  /** The part that only the statement of these rows uses. */
  chainsFor(statement: object): readonly Chain[] {
    if (statement !== this.#statement) throw new DrdaError('value', 'The rows were encoded for another statement.');
    return this.#chains;
  }
}

/** The data of a chain's first row. Its last frame ends this chain, or says what follows. */
export function appendRow(to: ByteWriter, { buffer, dataAt, dataEnd, lastFrameAt }: Chain, follows = 0): void {
  const start = to.length;
  to.bytes(buffer.subarray(dataAt, dataEnd));
  const lastFrame = start + lastFrameAt - dataAt;
  to.buffer[lastFrame + 3] = (to.buffer[lastFrame + 3]! & 0x0f) | follows;
}

/**
 * Sends a chain, with its commit or without: the last frame says which. A buffer that is in flight is copied and not
 * changed.
 */
export async function executeChain(transport: Transport, chain: Chain, commit: boolean): Promise<number> {
  const flagAt = chain.lastFrameAt + 3;
  const flags = (chain.buffer[flagAt]! & 0x0f) | (commit ? chained : 0);
  let bytes = chain.buffer.subarray(0, commit ? chain.buffer.length : chain.commitAt);
  if (bytes[flagAt] !== flags) {
    if (chain.underWay > 0) bytes = Buffer.from(bytes);
    bytes[flagAt] = flags;
  }
  chain.underWay++;
  try {
    return await new Promise<number>((resolve, reject) => {
      const commands = chain.rows + (commit ? 1 : 0);
      transport.send(bytes, new ChangesReply(commands, chain.firstRow, transport.limits, { resolve, reject }));
    });
  } finally {
    chain.underWay--;
  }
}

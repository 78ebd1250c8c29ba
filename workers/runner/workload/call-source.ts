import type { Call, Operation } from '#engine-api/operation.ts';
import type { Batch, RowLayout } from '#model/batch/batch.ts';
import { slice } from '../generator/slice.ts';
import { Sampler } from '../timing/sampler.ts';
import type { BatchMaker } from './batch-maker.ts';
import type { CallTracker } from './call-tracker.ts';

/**
 * Hands out a worker's calls to its connections. Calls that are not prepared are made when they are taken, and timed
 * separately.
 */
export class CallSource {
  /** The last taken call. Read these fields before anything else runs. */
  call: Call = undefined;
  rows = 0;
  index = 0;
  /** Running totals of the time for calls that were not prepared, ms; frequent calls are sampled. */
  generateMs = 0;
  encodeMs = 0;
  readonly #sampler = new Sampler(4);
  /** Time for blocks of calls, which are rarer than calls, and are part of `generateMs`. */
  #blocksMs = 0;

  readonly #encodesLate: boolean;
  readonly #maker: BatchMaker;
  #tracker: CallTracker;
  #block: Batch | null = null;
  #blockFirst = 0;
  #blockCalls = 0;
  #blockOffset = 0;

  /** `encodesLate`: prepared calls are batches, which are encoded when they are taken. */
  constructor(maker: BatchMaker, tracker: CallTracker, encodesLate = false) {
    this.#encodesLate = encodesLate;
    this.#maker = maker;
    this.#tracker = tracker;
  }

  get tracker(): CallTracker {
    return this.#tracker;
  }

  /** Hands out the calls of this tracker from now on. */
  use(tracker: CallTracker): void {
    if (tracker === this.#tracker) return;
    this.#tracker = tracker;
    this.#block = null;
  }

  get exhausted(): boolean {
    return this.#tracker.exhausted;
  }

  /**
   * Writes the next call of this connection to `call`, `rows` and `index`; false if none is left. `takesOver`: also
   * takes calls that were prepared for other connections.
   */
  take(connection: number, operation: Operation, takesOver: boolean): boolean {
    const tracker = this.#tracker;
    const prepared = tracker.takePrepared(connection);
    if (prepared !== -1) {
      const call = tracker.preparedCall(connection);
      if (this.#encodesLate) this.#encode(prepared, call as Batch, operation);
      else this.#hand(prepared, call);
      return true;
    }
    let index = tracker.takeUnprepared();
    const inOrder = index !== -1;
    if (!inOrder && takesOver) index = tracker.takeOver();
    if (index === -1) return false;
    this.#make(index, operation, inOrder);
    return true;
  }

  /** Repeats a call that was taken before, with the same rows. */
  takeAgain(index: number, operation: Operation): void {
    this.#make(index, operation, false);
  }

  /** The batch of the tracker's first call, made again as an example. */
  example(): Batch {
    return this.#maker.make(this.#tracker.numbering, 0, 1, null);
  }

  /** Prepares the next call of a tracker for the connection that this operation belongs to. */
  prepare(tracker: CallTracker, operation: Operation, connection: number): void {
    this.use(tracker);
    const batch = this.#batch(tracker.nextCall, operation.layout ?? null);
    tracker.addPrepared(this.#encodesLate ? batch : operation.encode(batch), connection);
  }

  /**
   * Sampled calls run the same code as all others, with clock readings around it, because separate code would be cold.
   */
  #make(index: number, operation: Operation, inOrder: boolean): void {
    const isSampled = this.#sampler.next();
    const blocksMs = this.#blocksMs;
    const start = isSampled ? performance.now() : 0;
    const batch = this.#batchOf(index, operation, inOrder);
    const generated = isSampled ? performance.now() : 0;
    this.#hand(index, operation.encode(batch));
    if (!isSampled) return;
    const encoded = performance.now();
    this.#sampler.take(start);
    const { weight } = this.#sampler;
    this.generateMs += (generated - start - (this.#blocksMs - blocksMs)) * weight;
    this.encodeMs += (encoded - generated) * weight;
  }

  /** Hands out a call whose batch was prepared. */
  #encode(index: number, batch: Batch, operation: Operation): void {
    const isSampled = this.#sampler.next();
    const start = isSampled ? performance.now() : 0;
    this.#hand(index, operation.encode(batch));
    if (!isSampled) return;
    this.#sampler.take(start);
    this.encodeMs += (performance.now() - start) * this.#sampler.weight;
  }

  #batchOf(index: number, { layout = null }: Operation, inOrder: boolean): Batch {
    return inOrder ? this.#batch(index, layout) : this.#maker.make(this.#tracker.numbering, index, 1, layout);
  }

  #hand(index: number, call: Call): void {
    this.index = index;
    this.rows = this.#tracker.numbering.rows(index);
    this.call = call;
  }

  /** Makes the batch of a call. Small calls, which must come in order, are cut from a block of many. */
  #batch(index: number, layout: RowLayout | null): Batch {
    const maker = this.#maker;
    const { numbering } = this.#tracker;
    if (this.#block === null || index < this.#blockFirst || index >= this.#blockFirst + this.#blockCalls) {
      const perBlock = layout === null ? maker.callsPerBlock : 1;
      const calls = Math.min(perBlock - (index % perBlock), numbering.calls - index);
      if (calls === 1) return maker.make(numbering, index, 1, layout);
      const start = performance.now();
      const block = maker.make(numbering, index, calls, layout);
      const ms = performance.now() - start;
      this.#blocksMs += ms;
      this.generateMs += ms;
      this.#block = block;
      this.#blockFirst = index;
      this.#blockCalls = calls;
      this.#blockOffset = 0;
    }
    const rows = maker.batchRows(numbering, index);
    const batch = slice(this.#block, this.#blockOffset, rows);
    this.#blockOffset += rows;
    return batch;
  }
}

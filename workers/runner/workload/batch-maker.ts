import type { Batch, RowLayout } from '#model/batch/batch.ts';
import { rangeColumnOf } from '#model/dataset/named-columns.ts';
import { DynoError } from '#model/error.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { Generator } from '../generator/generator.ts';
import { createPermutation } from '../generator/permutation.ts';
import { createKeyChoice, type KeyChoice } from './key-choice.ts';
import type { Numbering } from './numbering.ts';
import { createRanges } from './ranges.ts';
import { workingRows } from './working-set.ts';

/** Makes the batches that the calls of one operation send. */
export interface BatchMaker {
  /** The number of calls that are made together. */
  readonly callsPerBlock: number;
  /** Makes one batch for `calls` calls from `first` on, always with the same rows. A layout is for one call only. */
  make(numbering: Numbering, first: number, calls: number, layout: RowLayout | null): Batch;
  /** Number of rows of the batch that call `call` sends. */
  batchRows(numbering: Numbering, call: number): number;
}

const rowsPerBlock = 1_024;
const deleteLane = 300;

export function callsPerBlock(rowsPerCall: number): number {
  return Math.max(1, Math.floor(rowsPerBlock / rowsPerCall));
}

/** `serverData`: the server generates the rows, and batches contain only their number. */
export function createBatchMaker(
  job: ClientJob,
  generator: Generator,
  rowsPerCall: number,
  serverData: boolean,
): BatchMaker {
  const { operation, keyDistribution, rangeRows } = job.settings;
  const working = workingRows(job.loadedRows, job.settings);
  const callRows = (numbering: Numbering, call: number) => numbering.rows(call);
  const maker = (
    make: BatchMaker['make'],
    batchRows: BatchMaker['batchRows'] = callRows,
    perBlock = callsPerBlock(rowsPerCall),
  ): BatchMaker => ({ callsPerBlock: perBlock, make, batchRows });

  switch (operation) {
    case 'insert':
      return serverData
        ? maker((numbering, first) => ({ rows: numbering.rows(first), columns: [] }), callRows, 1)
        : maker((numbering, first, calls, layout) =>
            generator.fill(numbering.first(first), rowsOf(numbering, first, calls), layout),
          );
    case 'copy':
      // The source does not have these keys.
      return maker((numbering, first, calls) =>
        generator.keys(
          Float64Array.from(
            { length: rowsOf(numbering, first, calls) },
            (_, i) => job.loadedRows + numbering.first(first) + i,
          ),
        ),
      );
    case 'delete': {
      const order = createPermutation(job.loadedRows, job.trialSeed, deleteLane);
      return maker((numbering, first, calls) => {
        const start = numbering.first(first);
        return generator.keys(
          Float64Array.from({ length: rowsOf(numbering, first, calls) }, (_, i) => order(start + i)),
        );
      });
    }
    case 'readByKey': {
      const choice = createKeyChoice(keyDistribution, working, job.trialSeed);
      return maker((numbering, first, calls) => generator.keys(chosen(choice, numbering, first, calls)));
    }
    case 'update': {
      const choice = createKeyChoice(keyDistribution, working, job.trialSeed);
      return maker((numbering, first, calls) =>
        generator.changes(chosen(choice, numbering, first, calls), numbering.first(first), job.trialSeed),
      );
    }
    case 'readRange': {
      // Ranges start where a whole range of rows follows, if keys ascend with the row number.
      const starts = Math.max(1, job.loadedRows - rangeRows + 1);
      const workingStarts = Math.max(1, Math.min(starts, working - rangeRows + 1));
      const choice = createKeyChoice(keyDistribution, workingStarts, job.trialSeed);
      const over = rangeColumnOf(job.table, job.settings)?.column.name;
      const ranges = over && createRanges(job.dataset, generator, over, job.loadedRows, rangeRows);
      return maker(
        (numbering, first, calls) => {
          const rowNumbers = new Float64Array(calls);
          for (let i = 0; i < calls; i++) choice.choose(numbering.first(first + i), rowNumbers, i, 1);
          if (!ranges) return generator.keys(rowNumbers);
          const bounds = Array.from(rowNumbers, (row) => ranges.at(row / Math.max(1, starts - 1)));
          const lows = Float64Array.from(bounds, ({ low }) => low);
          return generator.ranges(
            over,
            lows,
            Float64Array.from(bounds, ({ high }) => high),
          );
        },
        () => 1,
        callsPerBlock(1),
      );
    }
    case 'statement':
      throw new DynoError('internal', 'The mix makes the calls of custom statements.');
    case 'scan': {
      const batch: Batch = { rows: job.loadedRows, columns: [] };
      return maker(
        () => batch,
        () => job.loadedRows,
        1,
      );
    }
  }
}

const rowsOf = (numbering: Numbering, first: number, calls: number): number => {
  const last = first + calls - 1;
  return numbering.first(last) + numbering.rows(last) - numbering.first(first);
};

function chosen(choice: KeyChoice, numbering: Numbering, first: number, calls: number): Float64Array {
  const rowNumbers = new Float64Array(rowsOf(numbering, first, calls));
  for (let i = 0, at = 0; i < calls; i++) {
    const rows = numbering.rows(first + i);
    choice.choose(numbering.first(first + i), rowNumbers, at, rows);
    at += rows;
  }
  return rowNumbers;
}

import { appendFileSync } from 'node:fs';

/** The figures of a benchmark, for a table of docs/performance.md. */
export type Measured =
  | {
      /** Whole trials beside a peer's runs. */
      readonly table: 'calls';
      readonly row: string;
      /** Product and version. */
      readonly server: string;
      readonly peer: string;
      readonly perSecond: number;
      readonly cpuUs: number | null;
      readonly peerPerSecond: number;
      readonly peerCpuUs: number | null;
      readonly ratio: number;
      readonly cpuRatio: number | null;
    }
  | {
      /** The processor time of a call, µs by part. */
      readonly table: 'profile';
      readonly row: string;
      readonly column: string;
      readonly partsUs: Readonly<Record<string, number>>;
    }
  | {
      /** The cost of a part of measuring: with ÷ without − 1, and its interval. */
      readonly table: 'price';
      readonly row: string;
      readonly column: string;
      readonly more: number;
      readonly low: number | null;
      readonly high: number | null;
    }
  | {
      /** Loading rows. */
      readonly table: 'inserts';
      readonly of: string;
      readonly row: string;
      readonly perSecond: number;
      /** The ratio to the peer's rows per second. */
      readonly ratio: number | null;
    }
  | {
      /** The window: from the start of its program, or a press, until what was asked for is on the screen. */
      readonly table: 'window';
      readonly row: string;
      readonly ms: number;
      /** The processor time of all processes of the window; null: not measured. */
      readonly cpuMs: number | null;
      /** Null: no aim is set. */
      readonly aimMs: number | null;
    }
  | {
      /** Trials with next to no work. */
      readonly table: 'trials';
      readonly row: string;
      readonly perMinute: number;
      /** The ratio to empty processes. */
      readonly ratio: number;
    }
  | {
      /** A program to compare with, and what brings it. */
      readonly table: 'peers';
      readonly row: string;
      readonly source: string;
      readonly isHere: boolean;
    };

/**
 * Keeps what was measured in the file of JSON lines that DYNO_BENCH_REPORT names, of which `npm run bench -- NAME
 * --markdown` makes tables; without the variable nothing is kept.
 */
export function report(measured: Measured): void {
  const file = process.env.DYNO_BENCH_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(measured)}\n`);
}

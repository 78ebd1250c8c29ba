import { toErrorData } from '#model/error.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import { type Control, momentOf } from '../worker/control.ts';
import { calibrateRoundTrip } from './calibration.ts';

export interface DescribedTarget {
  readonly record: TargetRecord;
  /** ConfiguredTarget.place; empty if the target failed. */
  readonly place: string;
  /** ConfiguredTarget.dataFolder. */
  readonly dataFolder: string | null;
  readonly roundTrip: CalibrationEntry | null;
}

/** Connects to a target and describes it, or returns its error. Throws only when `signal` is aborted. */
export async function targetRecord(control: Control, signal: AbortSignal): Promise<DescribedTarget> {
  const { planned, descriptor } = control;
  const about = { name: planned.name, engine: planned.engine, descriptor };
  let known = { address: '', details: {} as Readonly<Record<string, string>> };
  try {
    const target = await control.connect(signal);
    const { address, details, place, dataFolder } = target;
    known = { address, details };
    const fingerprint = await control.ask({ call: 'fingerprint' }, momentOf(signal));
    const probeInfo = await control.ask({ call: 'probeInfo' }, momentOf(signal));
    const measured = await calibrateRoundTrip(control, momentOf(signal));
    const roundTrip = target.tunnel ? { ...measured, tunnel: target.tunnel.kind } : measured;
    return { record: { ...about, ...known, fingerprint, probeInfo, error: null }, place, dataFolder, roundTrip };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = toErrorData(thrown);
    return {
      record: { ...about, ...known, fingerprint: null, probeInfo: {}, error },
      ...{ place: '', dataFolder: null, roundTrip: null },
    };
  }
}

import type { EngineDescriptor } from '#contract/engine.ts';
import type { Experiment } from '#contract/experiment.ts';
import { catalog } from '../engines/catalog.ts';
import type { Calibration } from './calibration.ts';
import { createControl } from './control.ts';
import type { Home } from './paths.ts';
import { type Examined, examineTarget } from './target-record.ts';

/** Connects to every built-in target, one after the other: what `doctor` and `calibrate` report. */
export async function examineBuiltIn(
  home: Home,
  calibration: Calibration,
  signal: AbortSignal,
  onActivity: (text: string) => void,
): Promise<readonly Examined[]> {
  const found: Examined[] = [];
  for (const { descriptor } of catalog) {
    if (!descriptor.embedded) continue;
    await using control = createControl({
      planned: { name: descriptor.embedded.target, engine: descriptor.id, index: 0 },
      descriptor,
      experiment: experimentOf(descriptor, descriptor.embedded.target),
      home,
      variables: {},
      tag: 'dyno-doctor',
      onActivity,
      onProgress: () => {},
    });
    found.push(await examineTarget(control, calibration, signal));
  }
  return found;
}

/** The least experiment that has this target. */
const experimentOf = (descriptor: EngineDescriptor, target: string): Experiment => ({
  dyno: 1,
  name: 'Doctor',
  question: `Does ${descriptor.label} answer?`,
  dataset: { rows: 1, seed: 1, columns: { id: { type: 'sequence', start: 1, nulls: 0 } } },
  workload: {},
  factors: {},
  targets: [target],
  measure: { repeats: 1, seconds: 1, warmupSeconds: 0, timeoutSeconds: 60, order: 'asWritten', seed: 1 },
});

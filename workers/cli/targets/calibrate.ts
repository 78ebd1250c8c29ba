import { calibrationLabel, formatCalibrated, formatUs } from '#analysis/client/calibration-text.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { toErrorData } from '#model/error.ts';
import { checkBuiltInTargets } from '#orchestrator/check/check-targets.ts';
import { openCalibration } from '#orchestrator/run/calibration.ts';
import { storageOf } from '#orchestrator/run/storage/storage-entries.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { diskText } from '#presentation/tables/client/calibration-table.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import { type Command, jsonOption } from '../command.ts';
import { terminalErrorText } from '../dispatch.ts';
import { onInterrupt } from '../interrupt.ts';

/** The rows of the published insert duel, a reference for generators. */
const duelRows: Dataset = {
  rows: 1_000_000,
  seed: 1,
  columns: {
    id: { type: 'uuid4', nulls: 0 },
    payload: { type: 'text', length: 20, alphabet: 'alphanumeric', nulls: 0 },
  },
};

/** `dyno calibrate`: measures this machine. */
export const calibrateCommand: Command = {
  name: 'calibrate',
  arguments: '',
  summary:
    'Measures this machine: the rate of no-op calls, the rate of row generation, the disk with the data of managed servers and SQLite, and round trips to the built-in targets.',
  options: jsonOption,
  takes: [0, 0],
  async run({ home, values, print, printJson, note }) {
    ensureHome(home);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    const calibration = openCalibration(home, { fresh: true });
    const entries = [
      ...(await calibration.noopEngine(stop.signal)),
      ...(await calibration.generation(duelRows, stop.signal)),
    ];
    let storage: readonly CalibrationEntry[] = [];
    try {
      note('Measuring the disk');
      storage = await calibration.storage(stop.signal);
    } catch (thrown) {
      stop.signal.throwIfAborted();
      note(terminalErrorText(toErrorData(thrown)));
    }
    const examined = await checkBuiltInTargets(home, stop.signal, note);
    entries.push(...storageOf(storage, home, examined));
    for (const { roundTrip, record } of examined) {
      if (roundTrip) entries.push(roundTrip);
      if (record.error) note(`${record.name}: ${terminalErrorText(record.error)}`);
    }
    if (values.json) printJson(entries);
    else {
      for (const one of entries) {
        const { p50Us, p99Us } = one;
        const latency = p50Us === null ? '' : `  p50 ${formatUs(p50Us)}, p99 ${formatUs(p99Us)}`;
        print(`${calibrationLabel(one).padEnd(52)} ${formatCalibrated(one).padStart(16)}${latency}`);
      }
      const disk = diskText(entries);
      if (disk !== '') note(disk);
    }
    return examined.some(({ record }) => record.error) ? exitCodes.targetUnreachable : exitCodes.ok;
  },
};

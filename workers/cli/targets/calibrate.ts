import type { Dataset } from '#model/dataset/dataset.ts';
import { formatMs, formatRate } from '#model/format/format.ts';
import { checkBuiltInTargets } from '#orchestrator/check/check-targets.ts';
import { openCalibration } from '#orchestrator/run/calibration.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { type Command, jsonOption } from '../command.ts';
import { errorText } from '../dispatch.ts';
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
    'Measures this machine: the rate of no-op calls, the rate of row generation, and round trips to the built-in targets.',
  options: jsonOption,
  takes: [0, 0],
  async run({ home, values, print, printJson, note }) {
    ensureHome(home);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    const calibration = openCalibration(home, { fresh: true });
    const entries = [await calibration.noopEngine(stop.signal), await calibration.generation(duelRows, stop.signal)];
    const examined = await checkBuiltInTargets(home, stop.signal, note);
    for (const { roundTrip, record } of examined) {
      if (roundTrip) entries.push(roundTrip);
      if (record.error) note(`${record.name}: ${errorText(record.error)}`);
    }
    if (values.json) printJson(entries);
    else
      for (const one of entries) {
        const latency =
          one.p50Us === null
            ? ''
            : `  p50 ${formatMs(one.p50Us / 1_000)}, p99 ${formatMs(one.p99Us === null ? null : one.p99Us / 1_000)}`;
        print(`${one.label.padEnd(52)} ${formatRate(one.perSecond, `${one.unit}/s`).padStart(16)}${latency}`);
      }
    return examined.some(({ record }) => record.error) ? exitCodes.targetUnreachable : exitCodes.ok;
  },
};

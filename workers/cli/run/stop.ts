import { setTimeout as pause } from 'node:timers/promises';
import { DynoError } from '#model/error.ts';
import { formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { endNowMs, requestEnd, runsGoingOn } from '#orchestrator/run/end-now.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import type { Command } from '../command.ts';

/** Longer than a run takes to end, because a busy machine may notice the request late. */
const patienceMs = 3_000;

/** `dyno stop`: ends every run at once. */
export const stopCommand: Command = {
  name: 'stop',
  arguments: '',
  summary: 'Stops all runs of this Dyno home within two seconds, in all windows and terminals.',
  help: 'Dyno stops the statements on the servers, kills worker processes that do not end, and drops the tables if the server answers in this time. The next run on that server, or `dyno clean`, drops the remaining tables. The runs can be resumed. To cancel one run without haste, press Ctrl-C in its terminal.',
  options: { all: { type: 'boolean', about: 'Required. It confirms that all runs are meant.' } },
  takes: [0, 0],
  async run({ home, values, note }) {
    if (values.all !== true)
      throw new DynoError('badInput', '`dyno stop` ends all runs of this home.', {
        hint: 'If you mean that: dyno stop --all',
      });
    ensureHome(home);
    const before = runsGoingOn(home);
    if (before === 0) {
      note('No run is going on.');
      return exitCodes.ok;
    }
    const from = performance.now();
    requestEnd(home);
    while (runsGoingOn(home) > 0) {
      if (performance.now() - from > endNowMs + patienceMs)
        throw new DynoError('timeout', `${many(runsGoingOn(home), 'run')} did not end: the process does not react.`, {
          hint: 'End the process of that window or terminal by the means of your system; its workers end with it.',
        });
      await pause(50);
    }
    note(`${many(before, 'run')} ended in ${formatMs(performance.now() - from)}.`);
    return exitCodes.ok;
  },
};

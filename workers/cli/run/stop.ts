import { setTimeout as pause } from 'node:timers/promises';
import { DynoError } from '#model/error.ts';
import { formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { endNowMs, requestEnd, runsGoingOn } from '#orchestrator/run/end-now.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import type { Command } from '../command.ts';

/** Beyond the time that a run takes to end: a busy machine may be slow to look. */
const patienceMs = 3_000;

/** `dyno stop`: ends every run at once. */
export const stopCommand: Command = {
  name: 'stop',
  arguments: '',
  summary: 'Ends every run of this home at once, in whatever window or terminal: on all targets within two seconds.',
  help: 'Statements are stopped at the servers, worker processes that do not leave are killed, and tables are dropped where the server answers in this time; the others go with the next run at that server, or by `dyno clean`. The runs can be resumed. For one run that may take its time there is Ctrl-C.',
  options: { all: { type: 'boolean', about: 'Required: there is nothing else that could be meant.' } },
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

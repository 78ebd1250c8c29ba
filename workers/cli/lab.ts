import { exitCodes } from '../host/exit-codes.ts';
import { labStatus, resetLab, stopLab } from '../host/lab/lab.ts';
import type { Command } from './command.ts';

export const labCommand: Command = {
  name: 'lab',
  arguments: 'status|stop|reset',
  summary: 'The embedded PostgreSQL: is it running, stop it, delete its data.',
  help: 'It starts when a run needs it and stops when its last user is gone; `stop` stops it under its users.',
  options: { json: { type: 'boolean' } },
  about: { json: 'Status as JSON.' },
  takes: [1, 1],
  async run({ home, positionals: [action], values, print, note }) {
    switch (action) {
      case 'status': {
        const status = await labStatus(home);
        if (values.json) print(JSON.stringify(status));
        else if (!status) print('stopped');
        else
          print(
            `${status.state}: port ${status.port ?? '–'}, server pid ${status.serverPid ?? '–'}, keeper pid ${status.keeperPid}, ${status.users} user(s), data in ${status.dataFolder}`,
          );
        return exitCodes.ok;
      }
      case 'stop':
        print((await stopLab(home)) ? 'stopped' : 'was not running');
        return exitCodes.ok;
      case 'reset':
        await resetLab(home);
        print('The data of the embedded PostgreSQL is deleted; the next run makes a new one.');
        return exitCodes.ok;
      default:
        note(`dyno lab: “${action}” is none of status, stop, reset.`);
        return exitCodes.usage;
    }
  },
};

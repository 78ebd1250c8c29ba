import { commands } from '#cli/commands.ts';
import { dispatch } from '#cli/dispatch.ts';

// The command line runs the same code as the window, without Electron.
process.exitCode = await dispatch(commands, process.argv.slice(2));

import { calibrateCommand } from './cli/calibrate.ts';
import { checkCommand } from './cli/check.ts';
import type { Command } from './cli/command.ts';
import { compareCommand } from './cli/compare.ts';
import { dispatch } from './cli/dispatch.ts';
import { doctorCommand } from './cli/doctor.ts';
import { galleryCommand } from './cli/gallery.ts';
import { grantsCommand } from './cli/grants.ts';
import { listCommand } from './cli/list.ts';
import { previewCommand } from './cli/preview.ts';
import { reportCommand } from './cli/report.ts';
import { resumeCommand } from './cli/resume.ts';
import { runCommand } from './cli/run.ts';
import { schemaCommand } from './cli/schema.ts';
import { serversCommand } from './cli/servers.ts';
import { starterCommand } from './cli/starter.ts';
import { targetsCommand } from './cli/targets.ts';
import { testCommand } from './cli/test.ts';
import { tryCommand } from './cli/try.ts';

/** The command line: the same host code as the window, without it. */
const commands: readonly Command[] = [
  runCommand,
  starterCommand,
  resumeCommand,
  checkCommand,
  tryCommand,
  previewCommand,
  reportCommand,
  compareCommand,
  listCommand,
  galleryCommand,
  targetsCommand,
  testCommand,
  grantsCommand,
  calibrateCommand,
  doctorCommand,
  serversCommand,
  schemaCommand,
];

process.exitCode = await dispatch(commands, process.argv.slice(2));

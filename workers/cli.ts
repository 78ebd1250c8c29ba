import { calibrateCommand } from './cli/calibrate.ts';
import { checkCommand } from './cli/check.ts';
import type { Command } from './cli/command.ts';
import { compareCommand } from './cli/compare.ts';
import { dispatch } from './cli/dispatch.ts';
import { doctorCommand } from './cli/doctor.ts';
import { grantsCommand } from './cli/grants.ts';
import { labCommand } from './cli/lab.ts';
import { listCommand } from './cli/list.ts';
import { reportCommand } from './cli/report.ts';
import { resumeCommand } from './cli/resume.ts';
import { runCommand } from './cli/run.ts';
import { schemaCommand } from './cli/schema.ts';
import { starterCommand } from './cli/starter.ts';
import { targetsCommand } from './cli/targets.ts';
import { testCommand } from './cli/test.ts';

/** The command line: the same host code as the window, without it. */
const commands: readonly Command[] = [
  runCommand,
  starterCommand,
  resumeCommand,
  checkCommand,
  reportCommand,
  compareCommand,
  listCommand,
  targetsCommand,
  testCommand,
  grantsCommand,
  calibrateCommand,
  doctorCommand,
  labCommand,
  schemaCommand,
];

process.exitCode = await dispatch(commands, process.argv.slice(2));

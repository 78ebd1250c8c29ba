import { calibrateCommand } from './calibrate.ts';
import { checkCommand } from './check.ts';
import type { Command } from './command.ts';
import { compareCommand } from './compare.ts';
import { doctorCommand } from './doctor.ts';
import { galleryCommand } from './gallery.ts';
import { grantsCommand } from './grants.ts';
import { listCommand } from './list.ts';
import { previewCommand } from './preview.ts';
import { reportCommand } from './report.ts';
import { resumeCommand } from './resume.ts';
import { runCommand } from './run.ts';
import { schemaCommand } from './schema.ts';
import { serversCommand } from './servers.ts';
import { starterCommand } from './starter.ts';
import { targetsCommand } from './targets.ts';
import { testCommand } from './test.ts';
import { tryCommand } from './try.ts';

/** Every command of `dyno`, in the order in which its help lists them. */
export const commands: readonly Command[] = [
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

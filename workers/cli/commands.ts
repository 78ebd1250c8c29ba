import type { Command } from './command.ts';
import { checkCommand } from './experiments/check.ts';
import { galleryCommand } from './experiments/gallery.ts';
import { previewCommand } from './experiments/preview.ts';
import { schemaCommand } from './experiments/schema.ts';
import { scriptCommand } from './experiments/script.ts';
import { tableCommand } from './experiments/table.ts';
import { importCommand } from './import/import.ts';
import { agentCommand } from './load-hosts/agent.ts';
import { hostsCommand } from './load-hosts/hosts.ts';
import { mcpCommand } from './mcp/mcp.ts';
import { annotateCommand } from './results/annotate.ts';
import { compareCommand } from './results/compare.ts';
import { historyCommand } from './results/history.ts';
import { listCommand } from './results/list.ts';
import { reportCommand } from './results/report.ts';
import { adviseCommand } from './run/advise.ts';
import { draftCommand } from './run/draft.ts';
import { explainGapCommand } from './run/explain-gap.ts';
import { rehearseCommand } from './run/rehearse.ts';
import { resumeCommand } from './run/resume.ts';
import { runCommand } from './run/run.ts';
import { starterCommand } from './run/starter.ts';
import { stopCommand } from './run/stop.ts';
import { tryCommand } from './run/try.ts';
import { serversCommand } from './servers/servers.ts';
import { calibrateCommand } from './targets/calibrate.ts';
import { cleanCommand } from './targets/clean.ts';
import { connectionsCommand } from './targets/connections.ts';
import { doctorCommand } from './targets/doctor.ts';
import { grantsCommand } from './targets/grants.ts';
import { targetsCommand } from './targets/targets.ts';
import { testCommand } from './targets/test.ts';

/** Every command of `dyno`, in the order of its help. */
export const commands: readonly Command[] = [
  runCommand,
  starterCommand,
  resumeCommand,
  stopCommand,
  checkCommand,
  tryCommand,
  adviseCommand,
  explainGapCommand,
  rehearseCommand,
  draftCommand,
  importCommand,
  tableCommand,
  previewCommand,
  scriptCommand,
  reportCommand,
  compareCommand,
  historyCommand,
  annotateCommand,
  listCommand,
  galleryCommand,
  targetsCommand,
  connectionsCommand,
  testCommand,
  grantsCommand,
  cleanCommand,
  calibrateCommand,
  doctorCommand,
  serversCommand,
  hostsCommand,
  agentCommand,
  mcpCommand,
  schemaCommand,
];

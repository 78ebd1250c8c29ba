#!/usr/bin/env node
import { runCli } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { logToStderr } from './project.mjs';

// The `dyno` command, also `npm run dyno -- ARGUMENTS`: finds or downloads a suitable Node, and runs the command line
// on it.
try {
  await ensureInstalled();
  process.exitCode = await runCli(await ensureNode(), process.argv.slice(2));
} catch (error) {
  logToStderr(`dyno: ${error.message}`);
  process.exitCode = 1;
}

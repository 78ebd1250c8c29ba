#!/usr/bin/env node
import { runCli } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { say } from './project.mjs';

// The `dyno` command: finds (or fetches) a Node and hands everything over to workers/cli.ts.
try {
  await ensureInstalled();
  process.exitCode = await runCli(await ensureNode(), process.argv.slice(2));
} catch (error) {
  say(`dyno: ${error.message}`);
  process.exitCode = 1;
}

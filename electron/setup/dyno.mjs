#!/usr/bin/env node
import { runCli } from './cli.mjs';
import { say } from './project.mjs';

// The `dyno` command: finds (or fetches) a runtime and hands everything over to workers/cli.ts.
try {
  process.exitCode = await runCli(process.argv.slice(2));
} catch (error) {
  say(`dyno: ${error.message}`);
  process.exitCode = 1;
}

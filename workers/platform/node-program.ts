import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#model/error.ts';
import { childEnvironment } from './child-environment.ts';
import { projectRoot } from './paths.ts';

/** The Node that a package of Dyno brings (electron/package/app-folder.mjs). */
const packagedNode = join(projectRoot, 'node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The Node that runs every worker process, so that results of the window and the command line are comparable: on the
 * command line its own Node; in the window the package's, as for the package's command line, else the one of DYNO_NODE,
 * which `npm start` sets. Throws 'unsupported' in a window without either.
 */
export function nodeProgram(): string {
  if (!process.versions.electron) return process.execPath;
  const program = existsSync(packagedNode) ? packagedNode : process.env.DYNO_NODE;
  if (!program)
    throw new DynoError('unsupported', 'DYNO_NODE does not say on which Node benchmark workers run.', {
      hint: 'Start Dyno with npm start, or set DYNO_NODE to the path of Node 24.10 or newer.',
    });
  return program;
}

let known: NodeJS.ProcessVersions | null = null;
const printVersions = ['-p', 'JSON.stringify(process.versions)'];

let asked: Promise<void> | null = null;

/** Asks that Node for its versions, once, so that {@link nodeVersions} need not wait for it. Never throws. */
export function learnNodeVersions(): Promise<void> {
  asked ??= learn();
  return asked;
}

async function learn(): Promise<void> {
  if (!process.versions.electron) return;
  try {
    known = JSON.parse((await promisify(execFile)(nodeProgram(), printVersions, { env: childEnvironment() })).stdout);
  } catch {
    // nodeVersions() reports the error.
  }
}

/** The versions of that Node and its libraries. Throws 'unsupported' where it does not start. */
export function nodeVersions(): NodeJS.ProcessVersions {
  if (!process.versions.electron) return process.versions;
  const program = nodeProgram();
  try {
    known ??= JSON.parse(execFileSync(program, printVersions, { encoding: 'utf8', env: childEnvironment() }));
  } catch (thrown) {
    throw new DynoError('unsupported', `${program} does not run as Node: ${thrown}`, {
      hint:
        program === packagedNode
          ? 'It belongs to Dyno: install Dyno again.'
          : 'Set DYNO_NODE to the path of Node 24.10 or newer.',
    });
  }
  return known as NodeJS.ProcessVersions;
}

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '#orchestrator/run/environment.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { journalVersion } from '#protocol/journal.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';

/** A separate home, and the files of a stranger with a target on a port of this machine. */
export interface Stranger extends AsyncDisposable {
  readonly home: Home;
  readonly port: number;
  /** Experiments, and their files. The second has no plan; the third has a URL in place of a target’s name. */
  readonly planned: { readonly yaml: string; readonly file: string };
  readonly unplanned: { readonly yaml: string; readonly file: string };
  readonly byUrl: { readonly yaml: string; readonly file: string };
  /** An unfinished run of the first experiment. */
  readonly run: { readonly id: string; readonly file: string };
  /** A list of connections of another program. */
  readonly env: string;
  /** The number of connections made to the port. */
  readonly connections: number;
}

/** The variable whose value the stranger's target requests. */
export const canaryVariable = 'DYNO_TEST_CANARY';

/** The name of the stranger's target. */
export const theirs = 'theirs';

const yamlOf = (statement: string, target: string): string => `dyno: 1
name: Sent
question: Does it run?
dataset: { rows: 1000, key: id, columns: { id: { type: uuid4 } } }
workload: { operation: statement, method: bind }
statements: { s: { text: "${statement}" } }
targets: [${target}]
measure: { until: { calls: 2 }, repeats: 1 }
`;

/** A home, and the files of a stranger in a folder outside it. */
export async function stranger(): Promise<Stranger> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const folder = mkdtempSync(join(tmpdir(), 'dyno-stranger-'));
  const home = homeOf({ DYNO_HOME: join(folder, 'home') });
  ensureHome(home);
  // `npm test` has read the gallery already (electron/setup/test-steps.mjs).
  const prepared = process.env.DYNO_TEST_HOME;
  if (prepared !== undefined) copyFileSync(homeOf({ DYNO_HOME: prepared }).libraryParts, home.libraryParts);
  mkdirSync(join(home.root, 'electron'));
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const experiment = (name: string, yaml: string) => ({ yaml, file: write(`${name}.dyno.yaml`, yaml) });
  const login = `user: u, database: d, password: '\${env:${canaryVariable}}', ssl: disable`;
  const target = `{ name: ${theirs}, engine: postgres, host: 127.0.0.1, port: ${port}, ${login} }`;
  const planned = experiment('planned', yamlOf('SELECT 1', target));
  const id = '20260101-000000-0badf00d';
  const header = { record: 'header', version: journalVersion, runId: id, at: new Date().toISOString() };
  const begun = {
    ...header,
    yaml: planned.yaml,
    plan: planExperiment(parseFile(planned.yaml), planContext()).plan,
    environment: environmentOf(),
  };
  return {
    ...{ home, port, planned },
    unplanned: experiment('unplanned', yamlOf('SELECT 1; SELECT 2', target)),
    byUrl: experiment('by-url', yamlOf('SELECT 1', `'postgres://u:\${env:${canaryVariable}}@127.0.0.1:${port}/d'`)),
    run: { id, file: write(`${id}.dyno-run`, `${JSON.stringify(begun)}\n`) },
    env: write('stranger.env', `DATABASE_URL=postgres://u:secret@127.0.0.1:${port}/d\n`),
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

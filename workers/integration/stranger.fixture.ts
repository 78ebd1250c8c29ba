import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf } from '#orchestrator/run/environment.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { listening } from '#platform/listening.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { journalVersion } from '#protocol/journal.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { experimentYaml } from './home.fixture.ts';

/** The files of a stranger with a target on a port of this machine, and the number of connections to the port. */
export interface Stranger extends AsyncDisposable {
  readonly port: number;
  /**
   * Experiments. The second has no plan, because its statement is really two; the third has a URL in place of a
   * target’s name.
   */
  readonly planned: { readonly yaml: string; readonly file: string };
  readonly unplanned: { readonly yaml: string; readonly file: string };
  readonly byUrl: { readonly yaml: string; readonly file: string };
  /** An unfinished run of the first experiment. */
  readonly run: { readonly id: string; readonly file: string };
  /** A list of connections of another program. */
  readonly env: string;
  readonly connections: number;
}

/** The variable whose value the stranger's target requests. */
export const canaryVariable = 'DYNO_TEST_CANARY';

/** The name of the stranger's target. */
export const theirs = 'theirs';

/** The files of a stranger, in a folder outside every home. */
export async function stranger(): Promise<Stranger> {
  let connections = 0;
  const server = await listening((socket) => {
    connections++;
    socket.destroy();
  });
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const login = `user: u, database: d, password: '\${env:${canaryVariable}}', ssl: disable`;
  const target = `{ name: ${theirs}, engine: postgres, host: 127.0.0.1, port: ${server.port}, ${login} }`;
  const own = { workload: '{ operation: statement, method: bind }', targets: `\n  - ${target}` };
  const measure = '{ until: { calls: 2 }, repeats: 1 }';
  const experiment = (name: string, parts: Parameters<typeof experimentYaml>[0]) => {
    const yaml = experimentYaml(parts);
    return { yaml, file: write(`${name}.dyno.yaml`, yaml) };
  };
  const planned = experiment('planned', { ...own, measure, statements: '{ s: { text: "SELECT 1" } }' });
  const plan = planExperiment(parseFile(planned.yaml), planContext()).plan;
  const id = '20260101-000000-0badf00d';
  const header = { record: 'header', version: journalVersion, runId: id, at: new Date().toISOString() };
  const begun = { ...header, yaml: planned.yaml, plan, environment: environmentOf() };
  const url = `postgres://u:\${env:${canaryVariable}}@127.0.0.1:${server.port}/d`;
  return {
    port: server.port,
    planned,
    unplanned: experiment('unplanned', { ...own, statements: '{ s: { text: "SELECT 1; SELECT 2" } }' }),
    byUrl: experiment('by-url', { targets: `['${url}']` }),
    run: { id, file: write(`${id}.dyno-run`, `${JSON.stringify(begun)}\n`) },
    env: write('stranger.env', `DATABASE_URL=postgres://u:secret@127.0.0.1:${server.port}/d\n`),
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

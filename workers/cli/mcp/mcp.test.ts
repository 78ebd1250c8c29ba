import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { dyno, until } from '#integration/cli.fixture.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { agentOf, cliFile } from './agent.fixture.ts';
import { readingTools, runTools } from './tools.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 300_000 });

const reads = (seconds: number) =>
  experimentYaml({
    rows: '200',
    workload: '{ operation: readByKey, thinkMs: 5 }',
    factors: '{ method: [prepared, literal] }',
    targets: '[sqlite]',
    measure: `{ until: { seconds: ${seconds} }, repeats: 2, warmupSeconds: 0 }`,
  });

test('a server without --allow-runs reads, names mistakes with their lines, and runs nothing', async () => {
  await using own = testHome();
  await using agent = await agentOf(own.home);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(readingTools.map(({ name }) => name));
  expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).not.toContain(false);
  expect(agent.client.getInstructions()).toContain('dyno mcp --allow-runs');

  const listed = await agent.call('list_experiments', { origin: 'gallery', limit: 2 });
  expect(listed.data).toMatchObject({ items: [{ origin: 'gallery' }, { origin: 'gallery' }], nextOffset: 2 });
  const next = await agent.call('list_experiments', { origin: 'gallery', offset: listed.data.total - 1 });
  expect(next.data).toMatchObject({ items: [{ origin: 'gallery' }], nextOffset: null });

  const wrong = await agent.call('check_experiment', { text: reads(1).replace('readByKey', 'readByKy') });
  expect(wrong.data).toMatchObject({ isValid: false, items: [{ path: 'workload.operation', line: 9 }] });
  expect(wrong.data.items[0]?.suggestion).toContain('readByKey');
  const plan = await agent.call('preview_plan', { text: reads(1).replace('prepared, literal', 'prepared, bulk') });
  expect(plan.data).toMatchObject({ trials: { least: 2, most: 2 }, targets: [{ name: 'sqlite' }] });
  expect(plan.data.items.map(({ reason }) => reason === null)).toEqual([true, false]);
  const format = await agent.call('describe_file_format', { section: 'keys of measure' });
  expect(format.text).toContain('`measure.until`');

  await expect(agent.call('run_experiment', { text: reads(1) })).rejects.toThrow('run_experiment');
  expect(await openRuns(own.home).list()).toEqual([]);
});

test('with --allow-runs an agent runs an experiment within the limits, and reads what came of it', async () => {
  await using own = testHome();
  await using agent = await agentOf(own.home, '--allow-runs', '--targets', 'sqlite', '--max-minutes', '2');
  const { tools } = await agent.client.listTools();
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual(
    runTools.filter(({ acts }) => acts).map(({ name }) => name),
  );
  const text = reads(1);
  const seen: string[] = [];
  const begun = await agent.call(
    'run_experiment',
    { text, waitSeconds: 2 },
    { onprogress: ({ message = '' }) => void seen.push(message) },
  );
  const { run } = begun.data;
  expect(begun.data).toMatchObject({ trialsPlanned: 4 });
  const ended = await agent.call('follow_run', { run, waitSeconds: 200 });
  expect(ended.data).toMatchObject({ run, status: 'complete', trialsDone: 4, problems: [] });
  expect(ended.data.answer.length).toBeGreaterThan(0);
  expect(seen.every((message) => /^\d of 4 trials/.test(message))).toBe(true);

  expect((await agent.call('list_runs', { experiment: 'A test' })).data.items).toMatchObject([
    { id: run, status: 'complete', trialsDone: 4 },
  ]);
  const answer = await agent.call('read_run', { run: 'last' });
  expect(answer.text).toContain('Ratios refer to prepared');
  expect(answer.text).not.toContain(own.home.root);
  const cells = await agent.call('read_results', { run, part: 'cells', limit: 1 });
  expect(cells.data).toMatchObject({ total: 2, nextOffset: 1, items: [{ target: 'sqlite', ok: 2 }] });
  expect((await agent.call('read_results', { run, part: 'lookedFor' })).data.total).toBeGreaterThan(10);
  expect((await agent.call('read_results', { run, part: 'costs' })).data).toMatchObject({ part: 'costs', items: [] });
  expect((await agent.call('read_results', { run, part: 'gaps' })).data).toMatchObject({ part: 'gaps', items: [] });
  expect((await agent.call('read_query_plans', { run })).data.items).toMatchObject([{ plan: { engine: 'sqlite' } }]);
  expect((await agent.call('compare_runs', { runs: [run, run] })).text).toContain('what changed');
  expect((await agent.call('read_history', { experiment: 'A test' })).text).toContain('1 complete run');
  const all = await agent.call('read_results', { run, part: 'trials', limit: 200 });
  expect(all.data.items).toHaveLength(4);

  const cancelled = new AbortController();
  const running = agent.call(
    'run_experiment',
    { text: reads(10), waitSeconds: 200 },
    { signal: cancelled.signal, onprogress: () => cancelled.abort() },
  );
  await expect(running).rejects.toThrow();
  await until(async () => (await openRuns(own.home).list())[0]?.status === 'cancelled');
  const long = await agent.call('run_experiment', { text: reads(10), waitSeconds: 0 });
  expect(long.data.status).toBe('running');
  const second = await agent.call('run_experiment', { text });
  expect(second).toMatchObject({ isError: true, text: expect.stringContaining('is still running') });
  expect((await agent.call('cancel_run', { run: long.data.run })).data.status).toBe('cancelled');
});

test('when standard input ends, the run is cancelled and the server ends; standard output has only the protocol', async () => {
  await using own = testHome();
  const child = spawn(process.execPath, [cliFile(), 'mcp', '--allow-runs'], {
    env: { ...process.env, DYNO_HOME: own.home.root },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  const call = {
    name: 'run_experiment',
    arguments: { text: reads(20), waitSeconds: 600 },
    _meta: { progressToken: 7 },
  };
  send({ id: 2, method: 'tools/call', params: call });
  const messages: { readonly jsonrpc?: string; readonly method?: string }[] = [];
  for await (const line of createInterface(child.stdout)) {
    messages.push(JSON.parse(line));
    if (messages.at(-1)?.method === 'notifications/progress') child.stdin.end();
  }
  expect(await ended).toBe(exitCodes.ok);
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(await openRuns(own.home).list()).toMatchObject([{ status: 'cancelled' }]);
  expect((await dyno(own.home, 'clean', 'sqlite')).out).not.toContain('dyno_');
});

test('options that do not go together, and targets that agents may not have, are refused before a client waits', async () => {
  await using own = testHome();
  const ends = async (...options: string[]) => dyno(own.home, 'mcp', ...options);
  expect(await ends('--targets', 'sqlite')).toMatchObject({ code: exitCodes.usage });
  expect(await ends('--allow-runs', '--max-minutes', '0')).toMatchObject({ code: exitCodes.usage });
  const unknown = await ends('--allow-runs', '--targets', 'sqlite,sqlit');
  expect(unknown).toMatchObject({ code: exitCodes.badExperiment, err: expect.stringContaining('sqlite') });
});

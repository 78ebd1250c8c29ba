import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import type { Home } from '#platform/paths.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Run } from './run-scheduler.ts';

/** The records of a run from now on. */
export function collect(run: Run) {
  const records: JournalRecord[] = [];
  run.on('record', (record) => records.push(record));
  return {
    records,
    results: (): TrialResult[] => records.flatMap((one) => (one.record === 'result' ? [one.result] : [])),
  };
}

/** A run of a short experiment (see experimentYaml) that was not started yet, and its records. */
export async function newRun(
  { home }: Pick<TestHome, 'home'>,
  parts: Parameters<typeof experimentYaml>[0],
  options: Partial<Parameters<typeof newTrustedRun>[0]> = {},
) {
  const run = await newTrustedRun({ home, yaml: experimentYaml(parts), ...options });
  return { run, ...collect(run) };
}

/** Calls back once, at the first matching record. */
export function once(run: Run, fits: (record: JournalRecord) => boolean, then: () => void): void {
  const off = run.on('record', (record) => {
    if (!fits(record)) return;
    off();
    then();
  });
}

/** Runs an experiment of one trial, in its own home unless one is given whose servers may already be started. */
export async function runOnce(yaml: string, home?: Home) {
  await using test = home ? null : testHome();
  const run = await newTrustedRun({ home: home ?? test!.home, yaml });
  const { results } = collect(run);
  await run.start();
  const [result, ...others] = results();
  if (!result || others.length > 0) throw new Error(`The experiment has ${results().length} trials, and not one.`);
  return { plan: run.plan, result };
}

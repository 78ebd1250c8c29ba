import { copyFile } from 'node:fs/promises';
import { shell } from 'electron';
import { scriptKinds } from '#engine-api/reproducer.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { Passwords } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { makeReproducer, scriptOffers } from '#orchestrator/reproducer/make-reproducer.ts';
import { measuredCell } from '#orchestrator/reproducer/measured-cell.ts';
import type { Run } from '#orchestrator/run/run-scheduler.ts';
import { serversToChange } from '#orchestrator/try/servers-to-change.ts';
import type { Compare } from '#planning/rates/baseline.ts';
import type { Home } from '#platform/paths.ts';
import type { Answers, Asked } from '#protocol/ipc.ts';
import type { Cell } from '#protocol/plan.ts';
import type { ReportChoices } from '#protocol/report-choices.ts';
import { fileEndings, isFolderFormat } from '#protocol/report-formats.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { makeReport } from '#workspace/runs/make-report.ts';
import { readAnnotation } from '#workspace/runs/run-annotations.ts';
import type { Runs } from '#workspace/runs/runs.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import type { Trust } from '#workspace/trust/trust.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { Files } from '../files/files.ts';
import type { Unlock } from '../passwords/unlock.ts';
import type { LiveRuns } from './live-runs.ts';
import type { Watches } from './watches.ts';

type RunChannel = Extract<keyof Handlers, `runs:${string}`>;

/** Handlers of requests about runs. */
export function runHandlers(
  home: Home,
  runs: Runs,
  trust: Trust,
  live: LiveRuns,
  unlock: Unlock,
  watches: Watches,
  files: Files,
  endAll: () => Promise<void>,
  send: Send,
): Pick<Handlers, RunChannel> {
  const changed = <T>(value: T): T => {
    send('runs:changed', null);
    return value;
  };
  const running = (runId: string): Run => {
    const run = live.get(runId);
    if (run) return run;
    throw new DynoError('badInput', 'This run is not going on in this window.', {
      hint: runs.isLive(runId) ? 'Another Dyno process runs it; cancel it there.' : 'It has ended already.',
    });
  };
  /** `title` takes the place of the experiment's name. */
  const nameOf = async (runId: string, title?: string): Promise<string> => {
    const { plan, at } = await headerOf(runs.file(runId));
    return `${title ?? plan.experiment.name} ${at.slice(0, 16).replace('T', ' ').replace(':', '')}`;
  };

  const reportRequest = (runId: string, choices: ReportChoices & { readonly compare?: Compare }) => ({
    home,
    file: runs.file(runId),
    options: { ...choices, note: readAnnotation(home, runId).note },
  });

  /** Runs, or asks first for the names of the connections whose servers the run would change. */
  const changing = async (
    experiment: TrustedExperiment,
    passwords: Passwords,
    { changed: typed }: Answers,
    start: () => Promise<{ readonly runId: string }>,
  ): Promise<{ readonly runId: string } | Asked> => {
    const access = { home, passwords, signal: new AbortController().signal, onActivity: () => {} };
    const toChange = await serversToChange(experiment, typed, access);
    return toChange.length > 0 ? { toChange } : start();
  };

  /** The reports that were saved since the start, by run. */
  const reports = new Map<string, string>();

  return {
    'runs:list': () => runs.list(),
    'runs:start': ({ text, ...answers }) =>
      unlock(text, answers, (experiment, all) =>
        changing(experiment, all, answers, async () => ({ runId: await live.start(experiment, all, answers) })),
      ),
    'runs:resume': async ({ runId, ...answers }) => {
      const file = runs.file(runId);
      const { yaml } = await headerOf(file);
      return unlock(yaml, answers, (experiment, all) =>
        changing(experiment, all, answers, async () => ({ runId: await live.resume(file, experiment, all, answers) })),
      );
    },
    'runs:advise': ({ text, target, budgetSeconds, ...answers }) =>
      unlock(text, answers, async (experiment, passwords) => {
        const { confirmed } = answers;
        const asked = { experiment, file: parseFile(text), passwords, confirmed, budgetSeconds };
        return { runId: await live.advise({ ...asked, ...(target !== null && { target }) }) };
      }),
    'runs:cancelAdvice': () => live.cancelAdvice(),
    'runs:experiment': async ({ runId }) => ({ text: (await headerOf(runs.file(runId))).yaml }),
    'runs:pause': ({ runId, paused }) => running(runId).pause(paused),
    'runs:cancel': ({ runId }) => running(runId).cancel(),
    'runs:endAll': () => endAll(),
    'runs:watch': ({ runId }) => {
      watches.watch(runId, runs.file(runId), () => live.get(runId) !== undefined);
      const run = live.get(runId);
      if (run) send('run:progress', run.progress);
    },
    'runs:taken': ({ runId }) => watches.taken(runId),
    'runs:unwatch': ({ runId }) => watches.unwatch(runId),
    'runs:annotate': async ({ runId, change }) => {
      await runs.annotate(runId, change);
      send('runs:changed', null);
    },
    'runs:delete': ({ runId }) => {
      // Deletes first, because it may fail, and then the page must continue to watch the run.
      const deleted = runs.delete(runId);
      watches.unwatch(runId);
      return changed(deleted);
    },
    'runs:restore': ({ undo }) => {
      runs.restore(undo);
      send('runs:changed', null);
    },
    'runs:import': async () => {
      const file = await files.choose('dyno-run');
      if (file === null) return null;
      const imported = await runs.import(file);
      trust.noteForeign(readYaml((await headerOf(runs.file(imported.id))).yaml), null, file);
      return changed(imported);
    },
    'runs:exportReport': async ({ runId, format, ...choices }) => {
      // The experiment's name may be what the report hides.
      const name = await nameOf(runId, choices.hidesEngines || choices.hidesHosts ? 'Report' : undefined);
      const request = reportRequest(runId, choices);
      const write = async (path: string) => void (await makeReport({ ...request, output: { path, format } }));
      const path = isFolderFormat(format)
        ? await files.saveFolder(`${name} ${format}`, write)
        : await files.save(name, fileEndings[format], write);
      if (path !== null) reports.set(runId, path);
      return { saved: path !== null };
    },
    'runs:printReport': async ({ runId, ...choices }) => ({
      printed: await files.print(await makeReport({ ...reportRequest(runId, choices), output: null })),
    }),
    'runs:openReport': async ({ runId }) => {
      const path = reports.get(runId);
      if (path === undefined) throw new DynoError('badInput', 'No report of this run was saved since Dyno started.');
      const problem = await shell.openPath(path);
      if (problem !== '') throw new DynoError('other', `${path} could not be opened: ${problem}`);
    },
    'runs:exportJournal': async ({ runId }) => {
      const file = runs.file(runId);
      const saved = await files.save(await nameOf(runId), 'dyno-run', (path) => copyFile(file, path));
      return { saved: saved !== null };
    },
    'runs:scripts': async ({ runId, ...cell }) => scriptOffers((await headerOf(runs.file(runId))).plan, cell),
    'runs:saveScript': async ({ runId, language, ...cell }) => {
      const model = await loadRun(home, runs.file(runId));
      const measured = (one: Cell) => measuredCell(model, one);
      const script = await makeReproducer(model.plan, { ...cell, language, measured });
      const name = `${model.plan.experiment.name} ${cell.target}`;
      return { saved: (await files.save(name, scriptKinds[language].ending, script)) !== null };
    },
  };
}

import { copyFile } from 'node:fs/promises';
import { DynoError } from '#contract/error.ts';
import { headerOf } from '../../workers/host/journal-reader.ts';
import { loadRun } from '../../workers/host/load-run.ts';
import type { Home } from '../../workers/host/paths.ts';
import { reportHtml } from '../../workers/host/report-file.ts';
import type { Run } from '../../workers/host/run-scheduler.ts';
import type { Runs } from '../../workers/host/runs.ts';
import type { Handlers, Send } from '../ipc.ts';
import type { Files } from './files.ts';
import type { LiveRuns } from './live-runs.ts';
import type { Unlock } from './unlock.ts';
import type { Watches } from './watches.ts';

type RunChannel = Extract<keyof Handlers, `runs:${string}`>;

/** Everything the page may ask about runs. */
export function runHandlers(
  home: Home,
  runs: Runs,
  live: LiveRuns,
  unlock: Unlock,
  watches: Watches,
  files: Files,
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
  const nameOf = async (runId: string): Promise<string> => {
    const { plan, at } = await headerOf(runs.file(runId));
    return `${plan.experiment.name} ${at.slice(0, 16).replace('T', ' ').replace(':', '')}`;
  };

  return {
    'runs:list': () => runs.list(),
    'runs:start': ({ text, passwords }) =>
      unlock(text, passwords, async (all) => ({ runId: await live.start(text, all) })),
    'runs:resume': async ({ runId, passwords }) => {
      const file = runs.file(runId);
      const { yaml } = await headerOf(file);
      return unlock(yaml, passwords, async (all) => ({ runId: await live.resume(file, all) }));
    },
    'runs:pause': ({ runId, paused }) => {
      running(runId).pause(paused);
      return null;
    },
    'runs:cancel': ({ runId }) => {
      running(runId).cancel();
      return null;
    },
    'runs:watch': ({ runId }) => {
      watches.watch(runId, runs.file(runId), () => live.get(runId) !== undefined);
      const run = live.get(runId);
      if (run) send('run:progress', run.progress);
      return null;
    },
    'runs:taken': ({ runId }) => {
      watches.taken(runId);
      return null;
    },
    'runs:unwatch': ({ runId }) => {
      watches.unwatch(runId);
      return null;
    },
    'runs:delete': ({ runId }) => {
      // First what may be refused: the page goes on watching a run that is not deleted.
      const deleted = runs.delete(runId);
      watches.unwatch(runId);
      return changed(deleted);
    },
    'runs:restore': ({ undo }) => {
      runs.restore(undo);
      return changed(null);
    },
    'runs:import': async () => {
      const file = await files.choose('dyno-run');
      return file === null ? null : changed(await runs.import(file));
    },
    'runs:exportReport': async ({ runId, anonymous }) => {
      const model = await loadRun(home, runs.file(runId));
      const html = await reportHtml(model, { anonymous });
      return { saved: await files.save(await nameOf(runId), 'html', html) };
    },
    'runs:exportJournal': async ({ runId }) => {
      const file = runs.file(runId);
      return { saved: await files.save(await nameOf(runId), 'dyno-run', (path) => copyFile(file, path)) };
    },
  };
}

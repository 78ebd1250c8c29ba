import type { Durations } from '#planning/durations.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import type { Checks } from '#workspace/library/checks.ts';
import { openGallery } from '#workspace/library/gallery.ts';
import type { Library } from '#workspace/library/library.ts';
import type { Previews } from '#workspace/library/previews.ts';
import type { RowFiles } from '#workspace/library/row-files.ts';
import type { Trust } from '#workspace/trust/trust.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { Files } from '../files/files.ts';
import type { TrustQuestions } from '../passwords/trust-questions.ts';

type ExperimentChannel = Extract<keyof Handlers, `experiments:${string}`>;

/** Handlers of requests about experiments. */
export function experimentHandlers(
  library: Library,
  trust: Trust,
  questions: TrustQuestions,
  connections: ConnectionStore,
  files: Files,
  /** The durations of earlier runs. */
  durations: () => Durations,
  previews: Previews,
  rowFiles: RowFiles,
  checks: Checks,
  /** The folder of the files named in experiments. */
  folder: string,
  send: Send,
): Pick<Handlers, ExperimentChannel> {
  const changed = <T>(value: T): T => {
    send('library:changed', null);
    return value;
  };
  const gallery = openGallery(library);
  return {
    'experiments:list': () => library.list(),
    'experiments:gallery': () => gallery.pages(durations()),
    'experiments:read': ({ id }) => library.read(id),
    'experiments:save': ({ id, text }) => changed(library.save(id, text)),
    'experiments:delete': ({ id }) => changed(library.delete(id)),
    'experiments:restore': ({ undo }) => changed(library.restore(undo)),
    'experiments:import': async () => {
      const path = await files.choose('yaml');
      if (path === null) return null;
      const { entry, file } = library.import(path);
      trust.noteForeign(file, entry.id, path);
      return changed(entry);
    },
    'experiments:export': async ({ text, name }) => ({
      saved: (await files.save(name, 'yaml', text)) !== null,
    }),
    'experiments:preview': ({ text, table }) => previews.preview(text, table),
    'experiments:tableOfFile': async () => {
      const path = await files.choose('rows');
      return path === null ? null : rowFiles.propose(path);
    },
    'experiments:trust': ({ trustId }) => questions.trust(trustId),
    'experiments:check': async ({ text }) => {
      const { plan, diagnostics } = await checks.check(text, connections.list().connections, folder);
      return { plan, diagnostics, estimateSeconds: plan && estimateSeconds(plan, durations()) };
    },
  };
}

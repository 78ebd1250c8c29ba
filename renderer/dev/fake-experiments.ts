import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { galleryPage } from '#planning/gallery.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import type { Checked, LibraryEntry } from '#protocol/ipc.ts';
import { readDataset } from '#rules/dataset-file.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { Emit, FakeHandlers } from './fake-ipc.ts';

const galleryTexts = import.meta.glob<string>('../../experiments/*.dyno.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

interface FakeExperiment {
  readonly text: string;
  readonly origin: LibraryEntry['origin'];
}

const idOf = (path: string): string => `gallery:${path.replace(/^.*\//, '').replace('.dyno.yaml', '')}`;

const gallery: ReadonlyMap<string, FakeExperiment> = new Map(
  Object.entries(galleryTexts).map(([path, text]) => [idOf(path), { text, origin: 'gallery' }]),
);

// A window of a test lists the gallery as every other window does, so each text is read and planned once.
const entries = new WeakMap<FakeExperiment, LibraryEntry>();
const pages = new WeakMap<FakeExperiment, GalleryPage>();

function check(text: string, engines: readonly EngineDescriptor[]): Checked {
  const { plan, diagnostics } = planExperiment(parseFile(text), { catalog: engines });
  return { plan, diagnostics, estimateSeconds: plan && estimateSeconds(plan) };
}

function entryOf(id: string, experiment: FakeExperiment): LibraryEntry {
  const entry = entries.get(experiment) ?? readEntry(id, experiment);
  entries.set(experiment, entry);
  return entry;
}

function readEntry(id: string, { text, origin }: FakeExperiment): LibraryEntry {
  const { experiment, diagnostics } = parseFile(text);
  return {
    id,
    origin,
    name: experiment?.name ?? id,
    question: experiment?.question ?? '',
    topic: experiment?.gallery?.topic ?? null,
    targets: experiment?.targets.map((target) => (typeof target === 'string' ? target : target.name)) ?? [],
    modifiedAt: '2026-11-18T09:30:00Z',
    text,
    problem: experiment ? null : (diagnostics[0]?.message ?? 'Not an experiment'),
  };
}

function pageOf(id: string, experiment: FakeExperiment, engines: readonly EngineDescriptor[]): GalleryPage | null {
  const page = pages.get(experiment) ?? galleryPage(id, parseFile(experiment.text), engines)?.() ?? null;
  if (page !== null) pages.set(experiment, page);
  return page;
}

/** A library in memory: the gallery from its files, checked and planned by the real planner. */
export function fakeExperiments(emit: Emit, engines: readonly EngineDescriptor[]): FakeHandlers<'experiments:'> {
  const library = new Map(gallery);
  const deleted = new Map<string, FakeExperiment>();
  let next = 1;
  const put = (id: string, experiment: FakeExperiment): LibraryEntry => {
    library.set(id, experiment);
    emit('library:changed', null);
    return entryOf(id, experiment);
  };
  return {
    'experiments:list': async () => [...library].map(([id, experiment]) => entryOf(id, experiment)),
    'experiments:gallery': async () =>
      [...library].flatMap(([id, experiment]) => pageOf(id, experiment, engines) ?? []),
    'experiments:read': async ({ id }) => {
      const found = library.get(id)!;
      return { text: found.text, entry: entryOf(id, found) };
    },
    'experiments:save': async ({ id, text }) => {
      const isMine = id !== null && library.get(id)?.origin === 'mine';
      return put(isMine ? id : `mine-${next++}`, { text, origin: 'mine' });
    },
    'experiments:delete': async ({ id }) => {
      deleted.set(id, library.get(id)!);
      library.delete(id);
      emit('library:changed', null);
      return { undo: id };
    },
    'experiments:restore': async ({ undo }) => put(undo, deleted.get(undo)!),
    'experiments:import': async () => null,
    'experiments:tableOfFile': async () => null,
    'experiments:trust': async () => null,
    'experiments:export': async () => ({ saved: true }),
    'experiments:check': async ({ text }) => check(text, engines),
    // The runner generates rows, and it does not run in a browser.
    'experiments:preview': async ({ text, table }) => {
      const { dataset, problems } = readDataset(readYaml(text), table);
      return dataset ? { preview: { columns: Object.keys(dataset.columns), rows: [] } } : { problems };
    },
  };
}

import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { toErrorData } from '#model/error.ts';
import type { AppInfo, Bridge } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { fakeConnections } from './fake-connections.ts';
import { fakeExperiments } from './fake-experiments.ts';
import { fakeFiles } from './fake-files.ts';
import { fakeHistory } from './fake-history.ts';
import { fakeHosts } from './fake-hosts.ts';
import { createFakeEvents, type FakeHandlers } from './fake-ipc.ts';
import { fakeRuns } from './fake-runs.ts';
import { fakeServers } from './fake-servers.ts';

// The descriptors are found by pattern instead of imported, because the page must not depend on the engines.
const descriptors = import.meta.glob<EngineDescriptor>('../../workers/engines/*/descriptor.ts', {
  import: 'descriptor',
  eager: true,
});

interface Options {
  /** The journals of the runs that the window lists; synthetic ones by default. */
  readonly runs?: readonly Iterable<JournalRecord>[];
  readonly missing?: AppInfo['missing'];
  /** Answers in place of the fake ones. */
  readonly handlers?: Partial<FakeHandlers>;
}

/** Answers the page's requests inside the page, so that a browser or a test can show the window. */
export function createFakeBridge({ runs, missing = {}, handlers: given }: Options = {}): Bridge {
  const { emit, on } = createFakeEvents();
  const engines = Object.values(descriptors);
  const handlers: FakeHandlers = {
    'app:openHome': async () => null,
    'app:info': async () => ({
      version: '0.1.0',
      runtime: { node: '24' },
      window: 'no Electron',
      engines,
      missing,
      home: '',
    }),
    'app:unsaved': async () => null,
    ...fakeExperiments(emit, engines),
    'statements:draft': async () => ({ draft: null }),
    'statements:try': async () => ({ reports: [] }),
    'statements:tables': async () => ({ tables: [] }),
    'statements:kept': async () => ({ statements: [] }),
    'statements:import': async () => ({
      kept: { statements: [], others: [], totalMs: 0, totalCalls: 0, since: null },
      tables: [],
    }),
    'statements:importTables': async () => ({ facts: [] }),
    'statements:cancel': async () => null,
    ...fakeConnections(emit),
    ...fakeHosts(emit),
    ...fakeFiles(),
    ...fakeServers(emit),
    ...fakeHistory(),
    ...fakeRuns(emit, runs),
    'files:save': async ({ name, format, data }) => {
      console.log(`saved ${name}.${format}: ${data.length} characters`);
      return { saved: true };
    },
    ...given,
  };
  return {
    on,
    openDropped: async () => ({ ok: true, value: null }),
    async request(channel, argument) {
      try {
        return { ok: true, value: await handlers[channel](argument) };
      } catch (thrown) {
        return { ok: false, error: toErrorData(thrown) };
      }
    },
  };
}

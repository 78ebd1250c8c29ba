import {
  type CheckReport,
  type ConnectionDraft,
  type ConnectionEntry,
  checkSteps,
  type SavedConnection,
} from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { leastUsedHue } from '#model/hues.ts';
import type { Emit, FakeHandlers } from './fake-ipc.ts';

const connectionOf = (
  { name, engine, values, passwords, ssh, group, production }: ConnectionDraft,
  id: string,
  hue = 2,
): SavedConnection => ({
  id,
  name,
  engine,
  values,
  passwords: Object.fromEntries(Object.entries(passwords).map(([field, { place }]) => [field, place])),
  ...(ssh && { ssh }),
  ...(group && { group }),
  ...(production && { production }),
  hue,
});

const entryOf = (connection: SavedConnection): ConnectionEntry => ({
  ...connection,
  address: `${String(connection.values.host ?? connection.values.path ?? 'localhost')}`,
  problem: null,
  lastCheck: null,
});

/** A test whose fifth step reports a wrong password. `done` steps of it are finished. */
const failing = (done: number): CheckReport => ({
  engine: 'postgres',
  address: 'db.example.com:5432/bench',
  state: done < 4 ? 'running' : 'failed',
  steps: checkSteps
    .filter((step) => step !== 'tunnel' && step !== 'socks')
    .map((step, index) => ({
      step,
      state: index < done ? 'ok' : index > done ? (done < 4 ? 'waiting' : 'skipped') : done < 4 ? 'running' : 'failed',
      ms: index < done ? index + 0.7 : null,
      detail: index < done ? 'As it should be' : '',
      error:
        done === 4 && index === 4
          ? new DynoError('authentication', 'password authentication failed for user "bench"', {
              hint: 'Check user and password of the target.',
            }).data
          : null,
    })),
  product: null,
  version: null,
  emulator: null,
  notice: null,
  cautions: [],
  roundTripMs: null,
  grants: done < 4 ? null : 'CREATE ROLE bench LOGIN;\nGRANT CONNECT, CREATE ON DATABASE bench TO bench;\n',
});

/** Connections in memory. Every test of a connection reports a wrong password. */
export function fakeConnections(emit: Emit): FakeHandlers<'connections:'> {
  const all = new Map<string, SavedConnection>();
  const deleted = new Map<string, SavedConnection>();
  let next = 1;
  const put = (connection: SavedConnection): ConnectionEntry => {
    all.set(connection.id, connection);
    emit('connections:changed', null);
    return entryOf(connection);
  };
  const get = (id: string): SavedConnection => {
    const found = all.get(id);
    if (!found) throw new DynoError('badInput', 'This connection does not exist any more.');
    return found;
  };
  return {
    'connections:list': async () => ({ connections: [...all.values()].map(entryOf), problem: null, cannotStore: null }),
    'connections:readUrl': async ({ url }) => {
      const parsed = URL.parse(url);
      if (!parsed) throw new DynoError('badInput', 'No engine here reads a connection string of this form.');
      return {
        engine: 'postgres',
        values: { host: parsed.hostname, user: parsed.username },
        passwords: { password: parsed.password },
        notes: [],
        readOnly: false,
      };
    },
    'connections:findImports': async () => ({ importId: 'none', files: [], problems: [] }),
    'connections:import': async () => ({ names: [] }),
    'connections:forgetImports': async () => null,
    'connections:judge': async ({ draft }) => ({
      problems: draft.name === '' ? [{ field: 'name', message: 'A connection needs a name.', hint: null }] : [],
      address: entryOf(connectionOf(draft, '')).address,
      grants: null,
    }),
    'connections:save': async ({ draft }) => {
      const used = [...all.values()].map(({ hue }) => hue);
      const hue = draft.hue ?? all.get(draft.id ?? '')?.hue ?? leastUsedHue(used);
      return put(connectionOf(draft, draft.id ?? `c${next++}`, hue));
    },
    'connections:remember': async () => null,
    'connections:duplicate': async ({ id }) => put({ ...get(id), id: `c${next++}`, name: `${get(id).name} copy` }),
    'connections:delete': async ({ id }) => {
      deleted.set(id, get(id));
      all.delete(id);
      emit('connections:changed', null);
      return { undo: id };
    },
    'connections:restore': async ({ undo }) => put(deleted.get(undo) ?? get(undo)),
    'connections:test': async ({ testId }) => {
      for (let done = 0; done < 4; done++) {
        emit('connection:tested', { testId, report: failing(done) });
        await new Promise((later) => setTimeout(later, 400));
      }
      return { report: failing(4) };
    },
    'connections:clean': async ({ drops }) => {
      const tables = [{ name: 'dyno_0a1b2c3d_4', run: '0a1b2c3d', inUse: null, isUnsure: false }];
      return {
        report: {
          address: 'db.example.com',
          tables,
          parameters: [],
          dropped: drops ? tables.map(({ name }) => name) : [],
        },
      };
    },
    'connections:cancelTest': async () => null,
  };
}

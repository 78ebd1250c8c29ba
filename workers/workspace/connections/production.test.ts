import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun, resumeTrusted, trusted, trustedTarget, tryTrusted } from '#integration/trusted.fixture.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { advise } from '#orchestrator/advise/advise.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { listening } from '#platform/listening.fixture.ts';
import { ensureHome } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openGate, usersConnection } from '#workspace/trust/gate.ts';
import { planContext } from '../library/plan-context.ts';
import { savedFrom } from './connection-draft.ts';
import { openConnectionStore } from './connections.ts';
import { markByIdentity, markOf, requireConfirmed, unconfirmed } from './production-hosts.ts';
import { rememberServer } from './server-identities.ts';

const live = {
  name: 'live',
  engine: 'postgres',
  values: { host: 'db1.example', user: 'bench' },
  passwords: {},
  group: 'Shop',
  production: { maxConnections: 2 },
} as const satisfies Omit<Connection, 'id'>;

const yaml = (text: string) => `
dyno: 1
name: A look
question: How long does it take?
workload: { operation: statement, method: bind, load: open, arrivalsPerSecond: 10 }
statements: { look: { text: '${text}' } }
targets: [live]
measure: { repeats: 1, until: { seconds: 1 } }
`;

const kindOf = (thrown: unknown) => toErrorData(thrown).kind;

describe('a connection that is marked as production', () => {
  it('keeps its group, colour and protection in the file, and in a copy', async () => {
    await using test = testHome();
    const all = openConnectionStore(test.home);
    const draft = { id: null, ...live, hue: 5 };
    const { id } = all.save({ id: null, ...savedFrom(draft) });
    const [read] = openConnectionStore(test.home).list().connections;
    expect(read).toMatchObject({ group: 'Shop', hue: 5, production: { maxConnections: 2 } });
    expect(all.duplicate(id)).toMatchObject({ group: 'Shop', production: { maxConnections: 2 } });
    // A form without a colour keeps the connection's colour.
    const { hue: _, ...rest } = draft;
    expect(all.save({ ...savedFrom(rest), id })).toMatchObject({ hue: 5 });
    expect(readFileSync(test.home.connections, 'utf8')).toContain('"production"');
  });

  it('is confirmed by the name of its host alone', () => {
    const connection = { id: 'a', ...live };
    const one = (...typed: readonly string[]) => unconfirmed(['live'], [connection], typed);
    expect(one()).toEqual([{ connection: 'live', host: 'db1.example' }]);
    expect(one('db2.example', 'live', '')).toHaveLength(1);
    expect(one(' DB1.example ')).toEqual([]);
    expect(unconfirmed(['another'], [connection], [])).toEqual([]);
    const { production: _, ...usual } = connection;
    expect(unconfirmed(['live'], [usual], [])).toEqual([]);
    expect(() => requireConfirmed(['live'], [connection], [])).toThrow(DynoError);
  });

  it('is neither run, tried, advised on nor cleaned without that, and no file of a run is made', async () => {
    await using test = testHome();
    const { home } = test;
    const connection = openConnectionStore(home).save({ id: null, ...live });
    const reading = yaml('SELECT 1');
    const error = await newTrustedRun({ home, yaml: reading }).catch((thrown: unknown) => toErrorData(thrown));
    expect(error).toMatchObject({ kind: 'notConfirmed', hint: expect.stringContaining('--confirm db1.example') });
    const options = { home, signal: new AbortController().signal, onActivity: () => {} };
    expect(await tryTrusted({ ...options, yaml: reading }).catch(kindOf)).toBe('notConfirmed');
    const file = parseFile(reading);
    const asked = { ...options, file, experiment: trusted(home, reading), folder: home.root, budgetSeconds: 60 };
    expect(await advise({ ...asked, confirmed: [] }).catch(kindOf)).toBe('notConfirmed');
    const target = usersConnection(connection);
    expect(await cleanTarget({ ...options, target, drops: true }).catch(kindOf)).toBe('notConfirmed');
    const run = await newTrustedRun({ home, yaml: reading, confirmed: ['db1.example'] });
    expect(run.plan.targets).toMatchObject([{ name: 'live', production: true }]);
  });

  it('protects its server also while its file, or one connection in it, cannot be read: nothing connects then', async () => {
    await using test = testHome();
    const { home } = test;
    const connection = openConnectionStore(home).save({ id: null, ...live });
    const sound = readFileSync(home.connections, 'utf8');
    let asked = 0;
    await using server = await listening((socket) => {
      asked++;
      socket.destroy();
    });
    const written = { name: 'w', engine: 'postgres', host: '127.0.0.1', port: server.port, user: 'u' };
    const to = (target: string) => yaml('SELECT 1').replace('targets: [live]', `targets: [${target}]`);
    const file = JSON.stringify(written);
    const begun = await newTrustedRun({ home, yaml: to(file) });
    await begun.start();
    expect(asked).toBeGreaterThan(0);
    asked = 0;
    const late = await newTrustedRun({ home, yaml: to(file) });
    const { engine, name: _, ...fields } = written;
    const own = usersConnection({ id: 'own', name: 'own', engine, values: fields, passwords: {} });
    const ownInFile = trustedTarget(home, written);
    const more = { home, signal: new AbortController().signal, onActivity: () => {} };
    const checked = { home, signal: more.signal, passwords: {}, onChange: () => {} };
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      'a run of a written target': () => newTrustedRun({ home, yaml: to(file) }),
      'a run of a connection': () => newTrustedRun({ home, yaml: to('live'), confirmed: ['db1.example'] }),
      'a resumed run': () => resumeTrusted({ home, file: begun.file }),
      'a try': () => tryTrusted({ ...more, yaml: to(file) }),
      'the list of tables': () => cleanTarget({ ...more, target: own, drops: false }),
      'the list of tables of a written target': () => cleanTarget({ ...more, target: ownInFile, drops: false }),
      'dropping tables': () => cleanTarget({ ...more, target: own, drops: true }),
      'a target by its name': async () => openGate(home).named('live'),
    };
    const damages = [sound.slice(0, -20), '', '{"version":2}', sound.replace('"maxConnections": 2', '"password": 2')];
    for (const damage of damages) {
      writeFileSync(home.connections, damage);
      for (const [way, use] of Object.entries(ways)) {
        const error = await use().then(() => null, toErrorData);
        expect(error, `${way}: ${damage}`).toMatchObject({
          kind: 'fileAccess',
          message: expect.stringContaining(home.connections),
          hint: expect.stringContaining('Mend'),
        });
      }
      const report = await checkTarget({ ...checked, target: usersConnection(connection) });
      expect(report.steps.map(({ error }) => error?.message).join('\n')).toContain(home.connections);
    }
    expect(await late.start()).toMatchObject({ unreachableTargets: ['w'] });
    rmSync(home.connections);
    symlinkSync(join(home.root, 'nowhere'), home.connections);
    expect(await ways['a try']!().then(() => null, kindOf)).toBe('fileAccess');
    expect(asked).toBe(0);
    // Servers that Dyno starts itself are not production servers.
    expect(openGate(home).named('noop')).toMatchObject({ engine: 'noop' });
    expect(await newTrustedRun({ home, yaml: experimentYaml() })).toBeTruthy();
  });

  it('refuses to try a statement that writes, whatever is confirmed', async () => {
    await using test = testHome();
    openConnectionStore(test.home).save({ id: null, ...live });
    const error = await tryTrusted({
      ...{ home: test.home, yaml: yaml('DELETE FROM customers'), confirmed: ['db1.example'] },
      signal: new AbortController().signal,
      onActivity: () => {},
    }).catch((thrown: unknown) => toErrorData(thrown));
    expect(error).toMatchObject({ kind: 'badInput', message: expect.stringContaining('writes') });
  });

  it('is asked for, and judged anew, where a run goes on that began before the mark', async () => {
    await using test = testHome();
    const { home } = test;
    const store = openConnectionStore(home);
    const { production: _, ...unmarked } = live;
    const nobody = { ...unmarked, values: { host: '127.0.0.1', port: 1, user: 'bench' } };
    const { id } = store.save({ id: null, ...nobody });
    const begun = async (text: string) => {
      const run = await newTrustedRun({ home, yaml: yaml(text) });
      expect(await run.start()).toMatchObject({ unreachableTargets: ['live'] });
      return run.file;
    };
    const [reads, writes] = [await begun('SELECT 1'), await begun('DELETE FROM customers')];
    store.save({ id, ...nobody, production: {} });
    expect(await resumeTrusted({ home, file: reads }).catch(kindOf)).toBe('notConfirmed');
    const confirmed = ['127.0.0.1'];
    const run = await resumeTrusted({ home, file: reads, confirmed });
    expect(run.plan.targets).toMatchObject([{ name: 'live', production: true }]);
    expect(await run.start()).toMatchObject({ unreachableTargets: ['live'] });
    const error = await resumeTrusted({ home, file: writes, confirmed }).catch((thrown: unknown) =>
      toErrorData(thrown),
    );
    expect(error).toMatchObject({ kind: 'badInput', message: expect.stringContaining('writes') });
  });

  it('is recognised under the name of another connection, and in a target of a file', async () => {
    await using test = testHome();
    const { home } = test;
    const store = openConnectionStore(home);
    const { id } = store.save({ id: null, ...live });
    store.save({ ...live, id: null, name: 'second', production: { maxConnections: 1, allowWrites: true } });
    const { production: _, ...unmarked } = live;
    const other = store.save({
      ...unmarked,
      id: null,
      name: 'other',
      values: { ...live.values, host: 'DB1.example.' },
    });
    const { connections } = store.list();
    const file = { name: 'x', engine: 'postgres', url: 'postgresql://someone@db1.example:5432/shop' };
    for (const one of ['other', other, file]) {
      // The strictest of all marks applies, and all are named.
      expect(markOf(one, connections)).toEqual({
        production: { maxConnections: 1, maxPerSecond: 100 },
        of: ['live', 'second'],
      });
      expect(unconfirmed([one], connections, []).map(({ connection }) => connection)).toEqual(['live', 'second']);
      expect(unconfirmed([one], connections, ['db1.EXAMPLE'])).toEqual([]);
    }
    // The connection's own mark is its owner's decision.
    expect(markOf('second', connections)).toEqual({ production: { maxConnections: 1, allowWrites: true }, of: [] });
    expect(markOf({ ...file, url: 'postgresql://someone@db2.example/shop' }, connections)).toBeNull();
    expect(markOf('noop', connections)).toBeNull();
    store.delete(id);
    expect(markOf('other', store.list().connections)).toMatchObject({ of: ['second'] });
  });

  it('is not copied from, either, as the rows to copy are put there', async () => {
    await using test = testHome();
    const { home } = test;
    openConnectionStore(home).save({ id: null, ...live });
    const { plan, diagnostics } = planExperiment(
      parseFile(
        experimentYaml({ workload: '{ operation: copy, copyFrom: live }', targets: '[embedded-postgres, live]' }),
      ),
      planContext(openConnectionStore(home).list().connections),
    );
    expect(plan).toBeNull();
    expect(diagnostics.map(({ suggestion }) => suggestion)).toContainEqual(
      expect.stringContaining('live, which rows are copied from: It would create and fill a table.'),
    );
  });

  it('is remembered by what its server says, as long as it leads there', async () => {
    await using test = testHome();
    const { home } = test;
    ensureHome(home);
    const store = openConnectionStore(home);
    const saved = store.save({ id: null, ...live });
    const found = (...identities: readonly string[]) =>
      markByIdentity(home, 'postgres', identities, store.list().connections)?.of ?? [];
    const remember = (...identities: readonly string[]) =>
      rememberServer(home, saved, store.list().connections, identities);
    remember('cluster 7', 'start 1');
    remember('cluster 7', 'start 2');
    for (const one of ['cluster 7', 'start 1', 'start 2']) expect(found(one, 'start 9'), one).toEqual(['live']);
    expect(found('cluster 8')).toEqual([]);
    expect(found()).toEqual([]);
    // Another engine's server is another one.
    expect(markByIdentity(home, 'mysql', ['cluster 7'], store.list().connections)).toBeNull();
    const file = join(home.root, 'servers.json');
    expect(readFileSync(file, 'utf8')).not.toContain('cluster');
    // An unsaved connection leaves no trace of its server.
    rememberServer(home, { ...saved, id: 'url' }, store.list().connections, ['cluster 9']);
    expect(readFileSync(file, 'utf8')).not.toContain('url');
    store.save({ ...saved, values: { ...live.values, host: 'db3.example' } });
    expect(found('cluster 7')).toEqual([]);
    writeFileSync(file, '{ damaged');
    store.save(saved);
    expect(found('cluster 7')).toEqual([]);
    remember('cluster 7');
    expect(found('cluster 7')).toEqual(['live']);
  });
});

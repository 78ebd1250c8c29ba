import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import { newTrustedRun, tryTrusted } from '#integration/trusted.fixture.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { savedFrom } from './connection-draft.ts';
import { openConnectionStore } from './connections.ts';
import { requireConfirmed, unconfirmed } from './production-hosts.ts';

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
    // A form that says nothing of the colour leaves it.
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

  it('is neither run, tried nor cleaned without that, and no file of a run is made', async () => {
    await using test = testHome();
    const { home } = test;
    const connection = openConnectionStore(home).save({ id: null, ...live });
    const reading = yaml('SELECT 1');
    const error = await newTrustedRun({ home, yaml: reading }).catch((thrown: unknown) => toErrorData(thrown));
    expect(error).toMatchObject({ kind: 'notConfirmed', hint: expect.stringContaining('--confirm db1.example') });
    const options = { home, signal: new AbortController().signal, onActivity: () => {} };
    expect(await tryTrusted({ ...options, yaml: reading }).catch(kindOf)).toBe('notConfirmed');
    const target = usersConnection(connection);
    expect(await cleanTarget({ ...options, target, drops: true }).catch(kindOf)).toBe('notConfirmed');
    const run = await newTrustedRun({ home, yaml: reading, confirmed: ['db1.example'] });
    expect(run.plan.targets).toMatchObject([{ name: 'live', production: true }]);
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
});

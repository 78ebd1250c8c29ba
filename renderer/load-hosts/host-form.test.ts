import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostFormOf, hostFormProblems, hostOfForm } from './host-form.ts';

const empty = hostFormOf(null);

test('a load host survives its form', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
  const ssh = fc.record(
    { host: word, user: word, port: fc.integer({ min: 1, max: 65_535 }), identityFile: word, jump: word },
    { requiredKeys: ['host'] },
  );
  const host = fc.oneof(
    fc.record({ name: word, ssh }),
    fc.record(
      {
        name: word,
        nats: fc.constant('tls://bus:4222'),
        agent: fc.constant('A'.repeat(43)),
        credentials: word,
        ca: word,
      },
      { requiredKeys: ['name', 'nats', 'agent'] },
    ),
  );
  fc.assert(
    fc.property(host, (one) => {
      expect(hostOfForm(hostFormOf(one))).toEqual(one);
      expect([...hostFormProblems(hostFormOf(one), [])]).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('what a form lacks is told at its field, for the chosen way alone', () => {
  expect([...hostFormProblems(empty, []).keys()]).toEqual(['name', 'ssh']);
  expect([...hostFormProblems({ ...empty, way: 'bus' }, []).keys()]).toEqual(['name', 'nats', 'agent']);
  const named = { ...empty, name: 'load1', login: 'dba@load1' };
  expect([...hostFormProblems(named, ['load2'])]).toEqual([]);
  expect(hostFormProblems(named, ['load1']).get('name')).toContain('Another load host');
  expect(hostFormProblems({ ...named, login: '-oProxyCommand=x' }, []).get('ssh')).toContain('not the name or address');
  expect(hostFormProblems({ ...named, name: 'local' }, []).get('name')).toContain('the machine that runs Dyno');
  const withLogin = { ...named, way: 'bus', nats: 'nats://me:secret@bus', agent: 'A'.repeat(43) } as const;
  expect(hostFormProblems(withLogin, []).get('nats')).toContain('credentials file');
});

import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { testHome } from '#integration/home.fixture.ts';
import { trustedTarget } from '#integration/trusted.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { redact, secretsIn } from '#platform/redact.ts';
import { configureTarget, type Variables } from './targets.ts';

const fromVariable = `\${env:PW}`;

type Spec = Experiment['targets'][number];

async function resolve(spec: Spec | ((home: Home) => Spec), variables: Variables = {}) {
  await using test = testHome();
  return await resolveIn(test.home, typeof spec === 'function' ? spec(test.home) : spec, variables);
}

async function resolveIn(home: Home, spec: Spec, variables: Variables) {
  const { signal } = new AbortController();
  return await configureTarget(trustedTarget(home, spec), home, variables, () => {}, signal);
}

describe('targets', () => {
  it('fills in variables, and keeps their values as secrets', async () => {
    const spec = { name: 'mine', engine: 'postgres', host: 'db', password: fromVariable };
    const found = await resolve(spec, { PW: 'hunter22' });
    expect(found.config).toMatchObject({ host: 'db', password: 'hunter22' });
    expect(found.secrets).toContain('hunter22');
    expect(JSON.stringify([found.address, found.details])).not.toContain('hunter22');
  });

  it('names a variable that is not set, and the target that needs it', async () => {
    const spec = { name: 'mine', engine: 'postgres', host: 'db', password: fromVariable };
    await expect(resolve(spec)).rejects.toThrow(/“mine”.*PW/);
  });

  it('gives a file engine a folder in the home', async () => {
    expect((await resolve('sqlite')).config.path).toMatch(/embedded.sqlite$/);
  });

  it.each(['/tmp/elsewhere', '/', 'HOME/../elsewhere', 'HOME-of-others'])(
    'lets no experiment file choose a folder outside of the home: %s',
    async (folder) => {
      const theirs = (path: string) => ({ name: 'theirs', engine: 'sqlite', path });
      const found = resolve(({ root }) => theirs(folder.replace('HOME', root)));
      await expect(found).rejects.toThrow(/“theirs”: path is outside of Dyno’s home/);
      const theirFile = ({ root }: Home) => ({ name: 'theirs', engine: 'sqlite', file: folder.replace('HOME', root) });
      await expect(resolve(theirFile)).rejects.toThrow(/“theirs”: file is outside of Dyno’s home/);
      // A variable that happens to be set is not used either.
      await expect(resolve(theirs(fromVariable), { PW: '/tmp/elsewhere' })).rejects.toThrow(/outside/);
    },
  );

  it('takes a folder in the home', async () => {
    const found = await resolve(({ root }) => ({ name: 'mine', engine: 'sqlite', path: join(root, 'mine') }));
    expect(found.config.path).toMatch(/mine$/);
  });

  it('takes a written-out target without an address as the embedded one, with its options', async () => {
    const found = await resolve({ name: 'fast', engine: 'sqlite', synchronous: 'off' });
    expect(found.config).toMatchObject({ synchronous: 'off' });
    expect(found.place).toMatch(/^sqlite embedded/);
  });

  it('gives every configuration of a file engine a folder of its own, the same one each time', async () => {
    const plain = await resolve({ name: 'plain', engine: 'sqlite' });
    const fast = await resolve({ name: 'fast', engine: 'sqlite', synchronous: 'off', journalMode: 'delete' });
    const again = await resolve({ name: 'again', engine: 'sqlite', journalMode: 'delete', synchronous: 'off' });
    expect(plain.place).toBe((await resolve('sqlite')).place);
    expect(fast.place).not.toBe(plain.place);
    expect(again.place).toBe(fast.place);
    expect(basename(String(fast.config.path))).toBe(basename(String(again.config.path)));
    expect(basename(String(fast.config.path))).not.toBe(basename(String(plain.config.path)));
  });

  it('shows nothing that came from a variable, wherever it stands', async () => {
    const spec = {
      name: 'mine',
      engine: 'postgres',
      host: fromVariable,
      sessionSettings: { search_path: fromVariable },
    };
    const found = await resolve(spec, { PW: 'hunter:2' });
    expect(JSON.stringify([found.address, found.details, found.place])).not.toContain('hunter');
    const other = await resolve(spec, { PW: 'hunter:3' });
    expect(other.place).not.toBe(found.place);
    await expect(resolve({ ...spec, ssl: fromVariable }, { PW: 'hunter:2' })).rejects.toThrow(
      /^(?!.*hunter).*ssl must be/,
    );
  });

  it('takes a variable within a connection string as the password itself, or refuses it', async () => {
    const url = `postgres://u:${fromVariable}@db/d`;
    for (const PW of ['12/x', '#?&+ ', '50%', 'a:b@c'])
      for (const written of [url, `jdbc:postgresql://db/d?user=u&password=${fromVariable}`])
        expect((await resolve({ name: 'mine', engine: 'postgres', url: written }, { PW })).config, PW).toMatchObject({
          host: 'db',
          password: PW,
        });
    await expect(resolve({ name: 'mine', engine: 'postgres', url }, { PW: '12%20/x' })).rejects.toThrow(/value of PW/);
    const pairs = `Host=db;Username=u;Password=${fromVariable};Database=d`;
    await expect(resolve({ name: 'mine', engine: 'postgres', url: pairs }, { PW: 'a;b' })).rejects.toThrow(
      /^(?!.*a;b).*value of PW/,
    );
    const beside = { name: 'mine', engine: 'postgres', url: 'postgres://u@db/d', password: fromVariable };
    expect((await resolve(beside, { PW: '12/x' })).config).toMatchObject({ host: 'db', password: '12/x' });
    expect((await resolve({ name: 'mine', engine: 'postgres', url }, { PW: 'a:b@c' })).config).toMatchObject({
      host: 'db',
      password: 'a:b@c',
    });
  });

  it('says what of a URL is not taken over, and refuses one that may only read', async () => {
    const url = 'jdbc:postgresql://db/d?user=u&ApplicationName=me';
    const { details } = await resolve({ name: 'mine', engine: 'postgres', url });
    expect(details['of the URL']).toContain('ApplicationName');
    const reads = { name: 'mine', engine: 'postgres', url: 'jdbc:postgresql://db/d?user=u&readOnly=true' };
    await expect(resolve(reads)).rejects.toThrow(/only reads/);
  });
});

describe('redaction', () => {
  it('takes passwords out of texts, also those inside a URL', () => {
    const secrets = secretsIn('postgres://u:p%40ss-word@host/db');
    expect(redact('no good: p@ss-word, p%40ss-word', secrets)).toBe('no good: •••, •••');
    expect(redact('host is down', secrets)).toBe('host is down');
    expect(redact('it was a:b%c', secretsIn('postgres://u:a:b%c@host/db'))).toBe('it was •••');
  });

  it('takes out what only looks like a URL', () => {
    expect(redact('no good: hunter:2', secretsIn('hunter:2'))).toBe('no good: •••');
  });
});

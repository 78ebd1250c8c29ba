import { describe, expect, it } from 'vitest';
import type { Experiment } from '#contract/experiment.ts';
import { testHome } from './home.fixture.ts';
import { redact, secretsIn } from './redact.ts';
import { resolveTarget, type Variables } from './targets.ts';

const fromVariable = `\${env:PW}`;

type Spec = Experiment['targets'][number];

async function resolve(spec: Spec, variables: Variables = {}) {
  await using test = testHome();
  const name = typeof spec === 'string' ? spec : spec.name;
  const engine = typeof spec === 'string' ? spec : spec.engine;
  const experiment = { targets: [spec] } as unknown as Experiment;
  return await resolveTarget(
    { name, engine, index: 0 },
    experiment,
    test.home,
    variables,
    () => {},
    new AbortController().signal,
  );
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

  it('takes a written-out target without an address as the embedded one, with its options', async () => {
    const found = await resolve({ name: 'fast', engine: 'sqlite', synchronous: 'off' });
    expect(found.config).toMatchObject({ synchronous: 'off' });
    expect(found.place).toBe('sqlite embedded');
  });
});

describe('redaction', () => {
  it('takes passwords out of texts, also those inside a URL', () => {
    const secrets = secretsIn('postgres://u:p%40ss-word@host/db');
    expect(redact('no good: p@ss-word, p%40ss-word', secrets)).toBe('no good: •••, •••');
    expect(redact('host is down', secrets)).toBe('host is down');
  });
});

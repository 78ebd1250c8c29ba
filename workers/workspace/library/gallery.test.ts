import { expect, test } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { noDurations } from '#planning/durations.ts';
import { openGallery } from './gallery.ts';
import { openLibrary } from './library.ts';

test('each text of the gallery is planned once; estimates follow what runs have taken', async () => {
  await using made = testHome();
  const library = openLibrary(made.home);
  const [entry] = library.list();
  let text = experimentYaml({});
  const gallery = openGallery({ ...library, list: () => [entry!], read: () => ({ text, entry: entry! }) });
  const page = async (isEmpty: boolean) => {
    const [only] = await gallery.pages({ ...noDurations, isEmpty });
    return only!;
  };

  const first = await page(true);
  const later = await page(false);
  expect(later.engines).toBe(first.engines);
  expect(later.sizes[0]!.seconds.most).toBeLessThan(first.sizes[0]!.seconds.most);

  text = text.replace(/^name: .*$/m, 'name: Another name');
  const other = await page(false);
  expect(other.name).toBe('Another name');
  expect(other.engines).not.toBe(first.engines);
});

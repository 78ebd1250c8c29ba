import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { homeOf, projectRoot } from '#platform/paths.ts';
import { cleanText } from './answer.ts';

const home = homeOf({ DYNO_HOME: '/data/dyno' });

test('folders of this machine have other names in answers', () => {
  vi.stubEnv('HOME', '/home/ada');
  vi.stubEnv('USERPROFILE', '/home/ada');
  const text = `${home.runs} ${join(projectRoot, 'experiments')} /home/ada/a.csv`;
  expect(cleanText(text, home)).toBe('DYNO_HOME/runs DYNO/experiments ~/a.csv');
});

test.each(['/', ''])('the other text of answers stays if the home folder of the user is “%s”', (folder) => {
  vi.stubEnv('HOME', folder);
  vi.stubEnv('USERPROFILE', folder);
  expect(cleanText('1,200 rows/s', home)).toBe('1,200 rows/s');
});

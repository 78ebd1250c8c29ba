import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOf, isAllowedLink, isOurPage } from './addresses.ts';

const folder = join('/', 'srv', 'page');

describe('the file behind a page address', () => {
  test('lies in the page folder', () => {
    expect(fileOf(folder, 'app://dyno/index.html')).toBe(join(folder, 'index.html'));
    expect(fileOf(folder, 'app://dyno/assets/a%20b.js?x=1')).toBe(join(folder, 'assets', 'a b.js'));
  });

  test.each([
    'app://dyno/..%2f..%2fetc/passwd',
    'app://dyno/..%2fpage-2%2fx',
    'app://dyno/a%00.js',
    'app://dyno/%ff',
    'app://elsewhere/index.html',
  ])('is refused for %s', (url) => {
    expect(fileOf(folder, url)).toBeNull();
  });
});

test('only our own origin is our page', () => {
  expect(isOurPage('app://dyno/index.html#runs')).toBe(true);
  for (const url of ['app://dyno.example/', 'https://dyno/', 'app://dyno:1/', 'about:blank', 'no url'])
    expect(isOurPage(url)).toBe(false);
});

test('links reach the browser for https and known hosts alone', () => {
  expect(isAllowedLink('https://www.postgresql.org/docs/')).toBe(true);
  for (const url of [
    'http://www.postgresql.org/',
    'https://www.postgresql.org.example.com/',
    'https://www.postgresql.org@example.com/',
    'https://me@www.postgresql.org/',
    'javascript:alert(1)',
    'no url',
  ])
    expect(isAllowedLink(url)).toBe(false);
});

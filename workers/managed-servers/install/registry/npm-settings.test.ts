import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { npmRegistryOf } from './npm-settings.ts';

function userFile(text: string): string {
  const file = join(temporaryFolder(), '.npmrc');
  writeFileSync(file, text);
  return file;
}

test('the public registry is the default', () => {
  const { registry, authorization, proxy } = npmRegistryOf('a', { npm_config_userconfig: userFile('') });
  expect({ registry, authorization, proxy }).toEqual({ registry: 'https://registry.npmjs.org/' });
});

test('the user’s file names mirror, proxy and credentials; the environment goes first', () => {
  const npm_config_userconfig = userFile(
    [
      '; ours',
      'registry = "https://mirror.example/npm"',
      '@our:registry=https://our.example/',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what the file says
      '//mirror.example/:_authToken=${TOKEN}',
      'https-proxy=http://proxy.example:3128',
    ].join('\n'),
  );
  const environment = { npm_config_userconfig, TOKEN: 'abc' };
  expect(npmRegistryOf('a', environment)).toMatchObject({
    registry: 'https://mirror.example/npm/',
    authorization: 'Bearer abc',
    proxy: 'http://proxy.example:3128',
  });
  expect(npmRegistryOf('@our/a', environment)).toMatchObject({
    registry: 'https://our.example/',
    authorization: undefined,
  });
  const said = {
    ...environment,
    npm_config_registry: 'https://u:p%40w@other.example/x/',
    NPM_CONFIG_HTTPS_PROXY: 'http://p',
  };
  expect(npmRegistryOf('a', said)).toMatchObject({
    registry: 'https://other.example/x/',
    authorization: `Basic ${Buffer.from('u:p@w').toString('base64')}`,
    proxy: 'http://p',
  });
});

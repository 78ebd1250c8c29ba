import { describe } from 'vitest';
import { testConformanceOf } from '../conformance/conformance.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { otherVersions } from './test-server.fixture.ts';

for (const [version, start] of Object.entries(otherVersions))
  describe.skipIf(isSkipped(version))('the whole suite for each version', () => {
    testConformanceOf('drda', start, 'all', version);
  });

import { describe } from 'vitest';
import { smokeOf } from '#platform/whole.fixture.ts';
import { testConformanceOf } from '../conformance/conformance.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { otherVersions } from './test-server.fixture.ts';

// The whole suite takes too long for each version: conformance.long.test.ts has it.
for (const [version, start] of smokeOf(Object.entries(otherVersions)))
  describe.skipIf(isSkipped(version))('a smoke test of each version', () => {
    testConformanceOf('drda', start, ['changes', 'transactions', 'cells'], version);
  });

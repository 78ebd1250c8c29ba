import { testConformance, testConformanceOf } from '../conformance/conformance.ts';
import * as fixture from './test-server.fixture.ts';

// The emulator takes minutes for everything: conformance.long.test.ts has it do so.
if (fixture.givenServer) testConformance('oracle', fixture);
else testConformanceOf('oracle', fixture.startTestServer, ['changes', 'transactions', 'isolation', 'cells']);

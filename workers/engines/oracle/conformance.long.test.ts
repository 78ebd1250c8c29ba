import { testConformance } from '../conformance/conformance.ts';
import * as fixture from './test-server.fixture.ts';

testConformance('oracle', fixture);

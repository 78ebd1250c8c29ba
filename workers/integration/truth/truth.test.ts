import { describe, vi } from 'vitest';
import { testCases } from './truth-tests.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('a server that keeps a log', () => testCases(/M\/M\/1 at 80/));

import { expect, test, vi } from 'vitest';
import { testHome } from '../home.fixture.ts';
import { cycle, grown, held } from './cycles.fixture.ts';

/** Tests that this number of runs in one process leaves nothing behind. */
export function testCycles(cycles: number): void {
  vi.setConfig({ testTimeout: 300_000 });

  test.runIf(process.platform === 'linux')(`${cycles} runs leave no process, file, note or memory behind`, async () => {
    await using home = testHome();
    await cycle(home.home, 'sqlite');
    await cycle(home.home, 'sqlite');
    const first = held(home.home);
    for (let i = 0; i < cycles; i++) await cycle(home.home, 'sqlite');
    expect(grown(first, held(home.home), cycles)).toEqual([]);
  });
}

import { afterEach, expect, it, vi } from 'vitest';

const loaded = async (variable: string | undefined) => {
  vi.stubEnv('DYNO_TEST_BRIEF_SERVERS', variable);
  vi.resetModules();
  return import('./brief.ts');
};
afterEach(() => void vi.unstubAllEnvs());

it('changes nothing of servers that are measured, and what compiles of those of tests', async () => {
  expect(await loaded(undefined)).toMatchObject({ briefJava: [], briefDotnet: {} });
  const brief = await loaded('yes');
  expect(brief.briefJava).toContain('-XX:TieredStopAtLevel=1');
  expect(brief.briefDotnet).toMatchObject({ DOTNET_TieredPGO: '0' });
});

import { madeHistory } from '#presentation/charts/made-history.fixture.ts';
import type { FakeHandlers } from './fake-ipc.ts';

/** A history whose size the address of the page gives: `?history=16x40` has 16 runs and 40 cells. */
export function fakeHistory(): FakeHandlers<'history:'> {
  const [runs = 16, cells = 4] = (/history=(\d+)x(\d+)/.exec(location.search)?.slice(1) ?? []).map(Number);
  const history = madeHistory({ runs, cells, changeAt: Math.floor(runs * 0.6) });
  return {
    'history:of': async ({ experiment: name, size }) => ({ history: JSON.stringify({ ...history, name, size }) }),
    'history:alike': async () => ({ ids: [], times: [] }),
  };
}

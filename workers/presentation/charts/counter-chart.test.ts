import { expect, test } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { ProbeInfo } from '#engine-api/probe.ts';
import { bytes, count } from '#engine-api/probe-info.ts';
import { serverCounters } from './counter-chart.ts';
import type { PanelChart } from './kit/chart.ts';
import { lightTheme } from './kit/theme.ts';

const labels: Readonly<Record<string, ProbeInfo>> = {
  log: bytes('Log generated', 'logBytes'),
  checkpoints: count('Checkpoints by time'),
  pages: count('Pages written by sessions'),
  locks: count('Waits for row locks'),
  rows: count('Rows inserted'),
  sent: bytes('Sent to clients'),
  odd: count('Something else'),
};
const gauges = { ...Object.fromEntries(Object.keys(labels).map((name) => [name, 5])), 'wait:IO:WalSync': 2 };
const titlesOf = ({ option }: PanelChart) => (option.title as readonly { text: string }[]).map(({ text }) => text);

test('six counters come first, and all of them follow by area, folded', () => {
  const model = madeRun({ repeats: 1, targets: [{ name: 'server', probeInfo: labels }], trial: () => ({ gauges }) });
  const [first, ...areas] = serverCounters(model, model.trials, lightTheme);
  expect(first!.panels).toBe(6);
  expect(first!.fold).toBeUndefined();
  expect(areas.map((area) => [area.title.replace('Server counters: ', ''), titlesOf(area)])).toEqual([
    ['sessions, waits and locks', ['Sessions waiting: IO · WalSync', 'Waits for row locks']],
    ['log and checkpoints', ['Log generated', 'Checkpoints by time']],
    ['pages, memory and files', ['Pages written by sessions']],
    ['statements, rows and transactions', ['Rows inserted']],
    ['network', ['Sent to clients']],
    ['others', ['Something else']],
  ]);
  expect(areas.every(({ fold }) => fold !== undefined)).toBe(true);
  expect(new Set(areas[1]!.data.rows.map((row) => row[3]))).toEqual(new Set(['log', 'checkpoints']));
});

test('a few counters are one chart', () => {
  const model = madeRun({ repeats: 1, trial: () => ({ gauges: { active: 3, constantly: 0 } }) });
  expect(serverCounters(model, model.trials, lightTheme).map(titlesOf)).toEqual([['active']]);
});

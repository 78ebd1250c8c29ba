import { expect, test } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { machineUseOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { chartFileName, frameOf } from './chart-frame.ts';
import { framedSvg } from './kit/framed.ts';
import { lightTheme } from './kit/theme.ts';

const run = fixtureRun({ connections: [1] });
const drawn = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="300"><text>drawn</text></svg>';

test('a picture says which run it shows, from which machine and versions, and what to know about it', () => {
  const frame = frameOf(run, 'Throughput <over> time', 'One line per repeat.');
  const facts = Object.fromEntries(frame.facts);
  expect(facts.Versions).toBe('PostgreSQL 18.4 · SQLite 3.51.0 · No-op engine · Dyno 0.1.0');
  expect(facts.Machine).toContain('2 cores');
  expect(facts.Caveats).toBe('No problem with the data was found.');
  const svg = framedSvg(drawn, frame, lightTheme, { family: 'Inter Variable', woff2: 'd09GMg' });
  for (const part of [
    'Throughput &lt;over> time',
    'Insert duel · 2026-11-20 08:00 UTC',
    'One line per repeat.',
    'drawn',
  ])
    expect(svg).toContain(part);
  expect(svg).toContain("font-family:'Inter Variable'");
  expect(svg).toMatch(/^<svg [^>]*width="840"/);
});

test('a picture of a run with doubts names them, and that it was cancelled', () => {
  const doubtful = madeRun({ trial: ({ repeat }) => ({ result: repeat === 1 ? { status: 'failed' } : {} }) });
  const frame = frameOf({ ...doubtful, status: 'cancelled' }, 'Throughput', null);
  expect(Object.fromEntries(frame.facts).Caveats).not.toContain('No problem');
  expect(frame.run).toContain('cancelled');
});

test('a picture of a run without caveats says what its grade found', () => {
  const machine = machineUseOf({ busyMs: 19_800, others: [{ name: 'stress', processes: 1, pid: 7, cpuMs: 15_000 }] });
  const run = { ...madeRun({ trial: () => ({ result: { machine } }) }), caveats: [] };
  const { Caveats } = Object.fromEntries(frameOf(run, 'Throughput', null).facts);
  expect(Caveats).toMatch(/^Do not quote\. “stress” took /);
});

test('long words are broken into lines, and the picture grows with them', () => {
  const heightOf = (note: string) =>
    Number(/height="(\d+)"/.exec(framedSvg(drawn, frameOf(run, 'Title', note), lightTheme, null))![1]);
  expect(heightOf('many words '.repeat(40))).toBeGreaterThan(heightOf('few words') + 40);
});

test('files are named after the run and the chart', () => {
  expect(chartFileName(run, 'throughput-over-time')).toBe('Insert duel 2026-11-20 0800 throughput-over-time');
});

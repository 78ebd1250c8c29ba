import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { LoadCounts } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { violations } from './axe.ts';
import type { DynoApp } from './driver.ts';
import { expect, test } from './fixtures.ts';

/** Counts of `units`, each with the same times in ms. */
function counts(units: number, responseMs: number, waitMs: number, waiting: number): LoadCounts {
  const histogram = (ms: number) => {
    const made = new Histogram();
    made.recordMany(ms * 1e6, units);
    return made.encode();
  };
  return {
    arrivals: units,
    ended: units,
    failed: 0,
    afterwards: waiting,
    unfinished: 0,
    responseMs: units * responseMs,
    thinkMs: 0,
    waiting,
    response: histogram(responseMs),
    startError: histogram(0.2),
    wait: histogram(waitMs),
  };
}

/** A run under open load, whose response times grow in its second stage. */
function* recorded(): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [4], repeats: 2 }))
    if (record.record === 'header') {
      const { plan } = record;
      const variants = plan.variants.map((variant) => ({
        ...variant,
        settings: { ...variant.settings, load: 'open' as const, arrivalsPerSecond: 200 },
      }));
      const stages = [
        { name: 'usual', seconds: 2, to: 1 },
        { name: 'rush', seconds: 3, from: 1, to: 2 },
      ];
      yield { ...record, plan: { ...plan, variants, measure: { ...plan.measure, stages } } };
    } else if (record.record === 'snapshot') {
      const { snapshot } = record;
      const load = counts(200, 12, 4, Math.round(snapshot.atMs / 100));
      yield { ...record, snapshot: { ...snapshot, counts: { ...snapshot.counts, load } } };
    } else if (record.record === 'result') {
      const { result } = record;
      const stages = [counts(1_000, 12, 4, 0), counts(1_500, 80, 60, 30)];
      const totals = { ...result.totals, load: counts(2_500, 42, 30, 25) };
      yield { ...record, result: { ...result, totals, stages } };
    } else yield record;
}

async function openRun({ home, page }: DynoApp): Promise<void> {
  await mkdir(join(home, 'runs'), { recursive: true });
  const lines = [...recorded()].map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(join(home, 'runs', '20261120-080000-insert-duel.dyno-run'), lines.join(''));
  await page.reload();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Insert duel', exact: true }).click();
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('offered load, throughput and waiting are shown in numbers and under every chart', async ({ dyno }) => {
  const { page } = dyno;
  await openRun(dyno);
  await openTab(page, 'Summary');
  const panel = page.getByRole('region', { name: 'Load', exact: true });
  const row = panel.getByRole('row').filter({ hasText: 'PostgreSQL' }).first();
  await expect(row).toContainText('42.0');
  await expect(row).toContainText('30.0');
  const remark =
    'Load: open, 200 arrivals/s (Poisson) on 4 connections; in stages: usual 2 s at 100 %, rush 3 s 100 % to 200 %';
  for (const chart of await page.locator('section.chart').all()) await expect(chart).toContainText(remark);

  await openTab(page, 'Latency');
  await expect(page.getByRole('region', { name: 'Response time by percentile' })).toContainText(
    'Response time, from the intended start.',
  );

  await openTab(page, 'Time series');
  await expect(page.getByRole('region', { name: 'Waiting for a connection' })).toContainText('rush');
  const stages = page.getByRole('region', { name: 'Stages of the load' });
  await expect(stages.getByRole('row').filter({ hasText: 'rush' }).first()).toContainText('80.0');

  await openTab(page, 'Environment');
  await expect(page.getByRole('row', { name: /^Stages/ })).toContainText('rush 3 s');
});

test('loads are free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRun(dyno);
  for (const [tab, region] of [
    ['Summary', 'Load'],
    ['Time series', 'Stages of the load'],
  ] as const) {
    await openTab(page, tab);
    await expect(page.getByRole('region', { name: region, exact: true })).toBeVisible();
    expect(await violations(page), tab).toEqual([]);
  }
});

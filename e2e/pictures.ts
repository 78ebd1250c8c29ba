import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PictureOptions } from './driver/api.ts';
import { launchApp } from './dyno-app.ts';

// `npm run pictures` runs the starter experiment in the real app and takes the pictures of README.md and docs/guide.md.
// Run it after changes of the window, on an otherwise idle machine, because the pictures show real measurements.

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const size = { width: 1280, height: 800 };
const tall = { ...size, height: 1_080 };
const mostBytes = 250_000;

async function take(name: string, look: PictureOptions = {}): Promise<void> {
  const path = `${folder}${name}.png`;
  await dyno.screenshot(path, look);
  const { size: bytes } = await stat(path);
  console.log(`${path}  ${Math.round(bytes / 1_000)} kB`);
  if (bytes > mostBytes) throw new Error(`${path} is too large for a document: ${bytes} bytes.`);
}

await mkdir(folder, { recursive: true });
const dyno = await launchApp();
try {
  const { page } = dyno;
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await dyno.openExperiment('Insert duel');
  await page.getByRole('region', { name: 'Plan' }).getByText('bulk load').first().waitFor();
  await take('builder');

  await dyno.run();
  const planned = await dyno.records();
  const header = planned[0];
  const trials = header?.record === 'header' ? header.plan.trials.length : 0;
  while ((await dyno.results()).length < trials / 2) await new Promise((later) => setTimeout(later, 200));
  await take('live');

  await dyno.waitForResult(600_000);
  await page.getByRole('tab', { name: 'Summary', selected: true }).waitFor();
  await page.getByRole('region', { name: 'Comparison' }).waitFor();
  await take('results', tall);
} finally {
  await dyno.close();
}

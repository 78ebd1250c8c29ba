import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import { pictureSet, pictureSetReadme, type RunPicture } from '#presentation/report/picture-set.ts';

/** The resolution of PNG pictures, in pixels per CSS pixel, as in the window. */
const zoom = 2;

/** Writes the charts of a run, and README.md that shows them, into a folder. One picture at a time is in memory. */
export async function writePictureSet(
  run: RunModel,
  baseline: Baseline,
  folder: string,
  format: 'svg' | 'png',
): Promise<void> {
  const [{ init }, { pictureRenderer, pictureFont }] = await Promise.all([import('echarts'), import('./png.ts')]);
  const toPng = format === 'png' ? (await pictureRenderer()).draw : null;
  const listed: Omit<RunPicture, 'svg'>[] = [];
  for (const { svg, ...picture } of pictureSet(run, {
    baseline,
    renderSvg: createSvgRenderer(init),
    font: pictureFont,
  })) {
    writeFileSync(join(folder, `${picture.name}.${format}`), toPng === null ? svg : toPng(svg, zoom));
    listed.push(picture);
  }
  writeFileSync(join(folder, 'README.md'), pictureSetReadme(run, listed, format));
}

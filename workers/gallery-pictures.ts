import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { createRun } from '#orchestrator/run/run.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { galleryFolder, homeOf } from '#platform/paths.ts';
import { sceneText } from '#presentation/charts/kit/scene.ts';
import { type ChartTheme, darkTheme, lightTheme } from '#presentation/charts/kit/theme.ts';
import { drawPicture, pictureData } from '#presentation/charts/picture/draw-picture.ts';
import { fittingOptions } from '#presentation/charts/picture/picture-options.ts';
import { thumbnail } from '#presentation/charts/thumbnail.ts';
import { type ThumbnailFigures, thumbnailFigures } from '#presentation/charts/thumbnail-figures.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openGate } from '#workspace/trust/gate.ts';

// The pictures on the gallery's cards (`npm run pictures`): each experiment is run as it is written, with two repeats,
// and drawn in light and dark as its card says. The starter is run with all its repeats; the first start shows its
// picture with labels. The figures of each card are written beside its pictures. Arguments: names of experiments; none:
// all of them. An argument that ends in .dyno-run is a run to be drawn and not made anew. `--redraw` runs nothing, and
// draws the cards anew from their figures.

const ending = '.dyno.yaml';
const folder = join(galleryFolder, 'pictures');
const starter = 'insert-duel';
/** As wide as the first start's content. */
const starterWidthPx = 960;
const home = homeOf();
mkdirSync(folder, { recursive: true });

const names = readdirSync(galleryFolder)
  .filter((file) => file.endsWith(ending))
  .map((file) => basename(file, ending));
const [redraw, wanted] = [process.argv.includes('--redraw'), process.argv.slice(2).filter((one) => one !== '--redraw')];
const schemes = [['light', lightTheme] as const, ['dark', darkTheme] as const];

for (const one of wanted.length > 0 ? wanted : names) console.log(redraw ? redrawn(one) : await drawnAnew(one));

/** Runs an experiment, or loads a run, and draws its card. */
async function drawnAnew(one: string): Promise<string> {
  const model = one.endsWith('.dyno-run') ? await loadRun(home, one) : await runOf(one);
  const { name, experiment } = ofGallery(model.plan.experiment.name);
  const figures = thumbnailFigures(model, experiment.gallery?.picture ?? 'throughput');
  if (figures !== null) {
    writeFileSync(figuresOf(name), `${JSON.stringify(figures)}\n`);
    drawCard(name, figures);
  }
  if (name === starter)
    for (const [scheme, theme] of schemes)
      writeFileSync(join(folder, `${name}-result.${scheme}.svg`), resultOf(model, theme));
  return `${name}: ${model.status}`;
}

/** Draws a card from the figures of an earlier run. */
function redrawn(name: string): string {
  if (!existsSync(figuresOf(name))) return `${name}: it has no figures, so it has to be run.`;
  // This program wrote the file.
  drawCard(name, JSON.parse(readFileSync(figuresOf(name), 'utf8')) as ThumbnailFigures);
  return `${name}: drawn from its figures`;
}

function drawCard(name: string, figures: ThumbnailFigures): void {
  for (const [scheme, theme] of schemes)
    writeFileSync(join(folder, `${name}.${scheme}.svg`), `${sceneText(thumbnail(figures, theme))}\n`);
}

function figuresOf(name: string): string {
  return join(folder, `${name}.json`);
}

/** The picture of its results as the window shows it, with built-in targets by their labels. */
function resultOf(run: RunModel, theme: ChartTheme): string {
  const options = fittingOptions(run);
  const input = { run, shown: run, baseline: baselineOf(run), options, theme, widthPx: starterWidthPx };
  const scene = drawPicture(pictureData(input), input);
  if (scene === null) throw new Error('The starter has no result to draw.');
  const named = run.targets.flatMap(({ name, descriptor: { builtIn } }) =>
    builtIn.filter(({ target }) => target === name),
  );
  return named.reduce(
    (svg, { target, label }) => svg.replaceAll(`>${target}<`, `>${label.replace(/ \(.*\)$/, '')}<`),
    `${sceneText(scene)}\n`,
  );
}

function ofGallery(title: string): { readonly name: string; readonly experiment: Experiment } {
  for (const name of names) {
    const { experiment } = fileOf(name);
    if (experiment?.name === title) return { name, experiment };
  }
  throw new Error(`The gallery has no “${title}”.`);
}

function fileOf(name: string): ParsedFile {
  return parseFile(readFileSync(join(galleryFolder, `${name}${ending}`), 'utf8'));
}

async function runOf(name: string): Promise<RunModel> {
  const written = fileOf(name);
  const { plan } = planExperiment(written, planContext());
  const repeats = plan ? Math.min(2, repeatsOf(plan.measure).min) : 2;
  const file = name === starter ? written : parseFile(applyOverrides(written, [`measure.repeats=${repeats}`]));
  const judged = openGate(home).experiment({ written, file }, false);
  if ('foreign' in judged) throw new Error(`${name} of the gallery came from elsewhere.`);
  const run = await createRun({ home, experiment: judged.trusted, folder: galleryFolder });
  await run.start();
  return loadRun(home, run.file);
}

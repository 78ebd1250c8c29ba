import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '#engines/catalog.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { kindOf, missingOf, usualKinds } from '#managed-servers/servers/kinds.ts';
import { stopServer } from '#managed-servers/supervisor-client.ts';
import { toErrorData } from '#model/error.ts';
import { createRun } from '#orchestrator/run/run.ts';
import type { Run } from '#orchestrator/run/run-scheduler.ts';
import { coverageOf } from '#planning/gallery.ts';
import { type GalleryTarget, galleryTargets, listedOf } from '#planning/gallery-targets.ts';
import { galleryFolder, type Home } from '#platform/paths.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { type CoverageTable, lostCells } from './coverage-table.ts';
import { type JudgedCard, judgeCard } from './judge-card.ts';
import { smallOverrides } from './small-size.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

/** An experiment of the gallery by the name of its file. */
interface Card {
  readonly name: string;
  readonly file: ParsedFile;
}

/** A card on an engine, after its run. */
export interface CardOutcome extends JudgedCard {
  readonly card: string;
  readonly engine: string;
  /** Null: nothing was run. */
  readonly trials: number | null;
  readonly seconds: number;
  /** True if the run is of an earlier pass that was ended early. */
  readonly isKept: boolean;
}

interface RunCards {
  /** A home of its own, whose servers are all stopped at the end. */
  readonly home: Home;
  readonly cards: readonly Card[];
  readonly table: CoverageTable;
  /** Names of built-in targets. Default: all. */
  readonly targets?: readonly string[];
  readonly onOutcome: (outcome: CardOutcome) => void;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Runs of a pass that was ended early are kept for this long. */
const keptForMs = 24 * 3_600_000;

/**
 * Runs each card at its small size on every engine that is on this machine, one engine after another so that each
 * server starts once. A pass that was ended early goes on: runs that it has finished without a failure are judged
 * again and not made anew. Throws for a name of a target that Dyno cannot start.
 */
export async function runCards(options: RunCards): Promise<void> {
  const { home, cards, table, targets, onOutcome, note, signal } = options;
  const startable = galleryTargets(descriptors).filter((one) => one.target !== null);
  const unknown = targets?.filter((name) => !startable.some(({ target }) => target === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(
      `Dyno starts no ${unknown.join(', ')}. There are: ${startable.map(({ target }) => target).join(', ')}`,
    );
  const runs = join(home.root, 'gallery');
  const finished = join(runs, 'finished');
  if (existsSync(finished)) rmSync(runs, { recursive: true });
  mkdirSync(runs, { recursive: true });
  for (const { name, file } of cards) {
    const failures = lostCells(table, name, coverageOf(file, descriptors));
    const judged = { failures, undecided: [], confirmed: 0 };
    if (failures.length > 0)
      onOutcome({ card: name, engine: 'all engines', trials: null, seconds: 0, isKept: false, ...judged });
  }
  try {
    for (const target of startable) {
      if (targets && !targets.includes(target.name)) continue;
      const missing = await missingTarget(target.name);
      if (missing !== null) {
        note(`${target.name} is not on this machine: ${missing}`);
        continue;
      }
      for (const card of cards) {
        if (signal.aborted) return;
        const outcome = await runCard(card, target, { home, runs, signal });
        if (outcome !== null && !signal.aborted) onOutcome(outcome);
      }
      await stopAll(home);
    }
    if (!signal.aborted) writeFileSync(finished, '');
  } finally {
    await stopAll(home);
  }
}

async function missingTarget(target: string): Promise<string | null> {
  const kind = kindOf(target);
  return kind === null ? null : ((await missingOf(kind))?.what ?? null);
}

const stopAll = (home: Home) => Promise.all(usualKinds.map((kind) => stopServer(home, kind)));

/** Null: no variant runs on the engine. */
async function runCard(
  { name, file }: Card,
  target: GalleryTarget,
  { home, runs, signal }: Pick<RunCards, 'home' | 'signal'> & { readonly runs: string },
): Promise<CardOutcome | null> {
  const { experiment } = file;
  const covered = coverageOf(file, descriptors).find(({ id }) => id === target.id);
  if (experiment === null || !covered || covered.cells === 0) return null;
  const startedAt = performance.now();
  const about = { card: name, engine: target.name };
  const seconds = () => (performance.now() - startedAt) / 1_000;
  try {
    const small = parseFile(applyOverrides(file, smallOverrides(experiment, await specsOn(file, target))).text);
    const runFile = join(runs, `${name} ${target.name}.dyno-run`);
    const kept = await keptRun(home, runFile, small);
    if (kept) return { ...about, trials: kept.trials, seconds: 0, isKept: true, ...kept.judged };
    rmSync(runFile, { force: true });
    const judged = openGate(home).experiment({ written: file, file: small }, false);
    if ('foreign' in judged) throw new Error(`${name} of the gallery came from elsewhere.`);
    const run = await createRun({ home, experiment: judged.trusted, folder: galleryFolder, file: runFile });
    await startUntil(run, signal);
    const model = await loadRun(home, runFile);
    return { ...about, trials: model.trials.length, seconds: seconds(), isKept: false, ...judgeCard(model) };
  } catch (thrown) {
    const failures = [toErrorData(thrown).message];
    return { ...about, trials: null, seconds: seconds(), isKept: false, failures, undecided: [], confirmed: 0 };
  }
}

/**
 * The engine as the file lists it, where its servers are here, or its usual target; and the file's references, and the
 * target from which it copies.
 */
async function specsOn({ experiment }: ParsedFile, target: GalleryTarget) {
  const all = experiment?.targets ?? [];
  const references = descriptors
    .filter(({ reference }) => reference)
    .flatMap(({ builtIn }) => builtIn.map((one) => one.target));
  const listed = await Promise.all(
    listedOf({ targets: all }, target).map(async (spec) =>
      typeof spec === 'string' && (await missingTarget(spec)) !== null ? [] : [spec],
    ),
  );
  const own = listed.flat();
  const source = experiment?.workload?.copyFrom;
  return [
    ...all.filter(
      (spec) => typeof spec === 'string' && !own.includes(spec) && (references.includes(spec) || spec === source),
    ),
    ...(own.length > 0 ? own : [target.spec]),
  ];
}

/** The run of an earlier pass, if it is of the same text, complete and without a failure. */
async function keptRun(home: Home, file: string, { text }: ParsedFile) {
  if (!existsSync(file) || Date.now() - statSync(file).mtimeMs > keptForMs) return null;
  const model = await loadRun(home, file).catch(() => null);
  if (model === null || model.yaml !== text) return null;
  const judged = judgeCard(model);
  return judged.failures.length > 0 ? null : { trials: model.trials.length, judged };
}

async function startUntil(run: Run, signal: AbortSignal): Promise<void> {
  const cancel = () => run.cancel();
  signal.addEventListener('abort', cancel);
  try {
    if (signal.aborted) run.cancel();
    await run.start();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

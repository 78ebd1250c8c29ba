import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { changeAlone } from '#platform/file-lock.ts';
import { readJson, setAside, writeAtomically } from '#platform/json-file.ts';
import { makeFolder } from '#platform/make-folder.ts';
import type { Home } from '#platform/paths.ts';
import { annotationSchema, noAnnotation, type RunAnnotation } from '#protocol/run-annotation.ts';
import { runFileEnding } from './journal-file.ts';

/** The longest note takes less, even if each of its characters takes six bytes in JSON. */
const largestFile = 200_000;

/**
 * The file of the annotation of a run, beside the run file, which contains only measurements and may be given to
 * others.
 */
export const annotationFile = (home: Home, runId: string): string => join(home.runs, `${runId}.dyno-annotation.json`);

/** The annotation in a file; null if there is none or it cannot be read. */
function readFile(file: string): RunAnnotation | null {
  if (!existsSync(file) || statSync(file).size > largestFile) return null;
  const read = v.safeParse(annotationSchema, readJson(file));
  return read.success ? read.output : null;
}

/** The annotation of a run; empty without one. */
export const readAnnotation = (home: Home, runId: string): RunAnnotation =>
  readFile(annotationFile(home, runId)) ?? noAnnotation;

/** The annotation of the run of a run file. Empty for a file outside of the home. */
export const annotationOfFile = (home: Home, file: string): RunAnnotation =>
  resolve(dirname(file)) === resolve(home.runs) ? readAnnotation(home, basename(file, runFileEnding)) : noAnnotation;

/**
 * Changes parts of the annotation of a run. `change`: makes the new parts from the present annotation, while no other
 * process changes it. A file without any text is removed, and a damaged one is set aside.
 */
export function changeAnnotation(
  home: Home,
  runId: string,
  change: (present: RunAnnotation) => Partial<RunAnnotation>,
): void {
  const file = annotationFile(home, runId);
  makeFolder(home.runs, 0o700);
  changeAlone(join(home.state, `annotation-${runId}`), () => {
    const kept = readFile(file);
    const present = kept ?? noAnnotation;
    const { title, note, tags } = { ...present, ...change(present) };
    if (kept === null && existsSync(file)) setAside(file);
    if (title === '' && note.trim() === '' && tags.length === 0) rmSync(file, { force: true });
    else writeAtomically(file, JSON.stringify({ title, note, tags }));
  });
}

import * as v from 'valibot';
import { withReferences } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Diagnostic, Problem } from '#model/text/diagnostic.ts';
import { firstProblems } from '#model/text/first-problems.ts';
import { type Experiment, experimentSchema, experimentVersion } from './schema/experiment.ts';
import { checkShape, type Report, shapeOf } from './validate/check-shape.ts';
import { checkFactors, checkOperations } from './validate/factor-rules.ts';
import { checkMeasure } from './validate/measure-rules.ts';
import { checkPublished } from './validate/published-rules.ts';
import { checkSearch } from './validate/search-rules.ts';
import { checkSizes, sized } from './validate/sizes.ts';
import { checkStatements } from './validate/statement-rules.ts';
import { checkTables } from './validate/table-rules.ts';
import { checkBaseline, checkTargets } from './validate/target-rules.ts';
import { readYaml } from './yaml/yaml-source.ts';

export { applyFix, setIn } from './yaml/edit-experiment.ts';
export { applyOverrides } from './yaml/overrides.ts';

interface ParsedExperiment {
  /** Null where `diagnostics` holds an error. A text with warnings only gives an experiment. */
  readonly experiment: Experiment | null;
  /** The first problems, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses an experiment file. Never throws: the diagnostics hold the first problems that one pass finds, with positions.
 */
export function parseExperiment(text: string): ParsedExperiment {
  const source = readYaml(text);
  if (source.diagnostics.length > 0) return { experiment: null, diagnostics: source.diagnostics };
  const value = source.value;
  const newer = newerVersion(value);
  const problems = newer ? [newer] : firstProblems((report) => check(value, report));
  const diagnostics = inOrder(problems.map(source.locate));
  if (diagnostics.some(({ severity }) => severity === 'error')) return { experiment: null, diagnostics };
  // The check above has found nothing, so parsing only fills in defaults here; if valibot disagrees, its result counts.
  const parsed = v.safeParse(experimentSchema, withReferences(sized(value)));
  if (parsed.success) return { experiment: parsed.output, diagnostics };
  const path = (v.getDotPath(parsed.issues[0]) ?? '').split('.');
  const unforeseen: Problem = {
    path,
    message: parsed.issues[0].message,
    suggestion: null,
  };
  return { experiment: null, diagnostics: [...diagnostics, source.locate(unforeseen)] };
}

function check(value: unknown, report: Report): void {
  checkShape(shapeOf(experimentSchema), value, [], report);
  if (!isMapping(value)) return;
  checkRules(value, report);
  checkSizes(value, checkRules, report);
  checkPublished(value, report);
}

/** Rules beyond the schema, for the experiment in any of its sizes. */
function checkRules(value: Readonly<Record<string, unknown>>, report: Report): void {
  checkTables(value, report);
  checkFactors(value.factors, value.workload, report);
  checkOperations(value, report);
  checkStatements(value, report);
  checkTargets(value.targets, report);
  checkBaseline(value, report);
  checkMeasure(value.measure, report);
  checkSearch(value, report);
}

/** A file of a newer version has keys unknown here; its version alone is reported. */
function newerVersion(value: unknown): Problem | null {
  const version = isMapping(value) ? value.dyno : undefined;
  if (typeof version !== 'number' || !(version > experimentVersion)) return null;
  return {
    path: ['dyno'],
    message: `This file was written by a newer version of Dyno (file format ${version}; this one reads ${experimentVersion}).`,
    suggestion: 'Update Dyno to open it. The file has not been changed.',
  };
}

const inOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column);

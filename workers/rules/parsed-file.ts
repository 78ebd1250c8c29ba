import * as v from 'valibot';
import { type Experiment, experimentSchema, experimentVersion } from '#experiment/schema/experiment.ts';
import { sized } from '#experiment/schema/sizes.ts';
import { readYaml, type YamlSource } from '#experiment/yaml/yaml-source.ts';
import { withReferences } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import { shapeOf } from '#model/shape.ts';
import { type Diagnostic, inOrder, type Problem } from '#model/text/diagnostic.ts';
import { firstProblems } from '#model/text/first-problems.ts';
import { checkInAll, checkSize } from './file/change-rules.ts';
import { checkShape, type Report } from './file/check-shape.ts';
import { checkFactors, checkOperations } from './file/factor-rules.ts';
import { checkGoals, checkJudge } from './file/judge-rules.ts';
import { checkMeasure } from './file/measure-rules.ts';
import { checkPublished } from './file/published-rules.ts';
import { checkSearch } from './file/search-rules.ts';
import { checkStatements } from './file/statement-rules.ts';
import { checkTables } from './file/table-rules.ts';
import { checkBaseline, checkPrices, checkTargets } from './file/target-rules.ts';

/** The file of an experiment, parsed once: whatever needs a part of it takes this value, and no text. */
export interface ParsedFile extends YamlSource {
  /** Null where `diagnostics` holds an error. A text with warnings only gives an experiment. */
  readonly experiment: Experiment | null;
  /** The first problems, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses an experiment file, or checks a file that is parsed as YAML. Never throws: the diagnostics hold the first
 * problems that one pass finds, with positions.
 */
export function parseFile(file: string | YamlSource): ParsedFile {
  const source = typeof file === 'string' ? readYaml(file) : file;
  const { value, errors, locate } = source;
  if (errors.length > 0) return { ...source, experiment: null, diagnostics: errors };
  const newer = newerVersion(value);
  const problems = newer ? [newer] : firstProblems((report) => check(value, report));
  const diagnostics = inOrder(problems.map(locate));
  if (diagnostics.some(({ severity }) => severity === 'error')) return { ...source, experiment: null, diagnostics };
  // The check above has found nothing, so parsing only fills in defaults here; if valibot disagrees, its result counts.
  const parsed = v.safeParse(experimentSchema, withReferences(sized(value)));
  if (parsed.success) return { ...source, experiment: parsed.output, diagnostics };
  const path = (v.getDotPath(parsed.issues[0]) ?? '').split('.');
  const unforeseen: Problem = { path, message: parsed.issues[0].message, suggestion: null };
  return { ...source, experiment: null, diagnostics: [...diagnostics, locate(unforeseen)] };
}

/** The sections that statements depend on. */
const ofStatements = ['dataset', 'tables', 'statements', 'transactions', 'scenarios', 'checks', 'targets'] as const;

/** The statements of a file with their tables and targets, if all errors are elsewhere; else null. */
export function statementsAlone(source: YamlSource): Experiment | null {
  const { value } = source;
  if (!isMapping(value) || !isMapping(value.statements)) return null;
  const kept = ofStatements.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]] as const]));
  const least = { dyno: experimentVersion, name: 'x', question: 'x', workload: { operation: 'statement' } };
  const reduced = { ...least, measure: { until: { seconds: 1 } }, ...Object.fromEntries(kept) };
  return parseFile({ ...source, value: reduced, errors: [] }).experiment;
}

function check(value: unknown, report: Report): void {
  if (!isMapping(value)) {
    checkShape(shapeOf(experimentSchema), value, [], report);
    return;
  }
  checkInAll(value, checkOne, checkShared, report);
  checkSize(value, report);
  checkPublished(value, report);
  checkPrices(value, report);
}

/** The schema, and the rules beyond it, for the experiment in any of its sizes and with any of its levels. */
function checkOne(value: Readonly<Record<string, unknown>>, report: Report): void {
  checkShape(shapeOf(experimentSchema), value, [], report);
  checkTables(value, report);
  checkFactors(value.factors, value.workload, report);
  checkOperations(value, report);
  checkStatements(value, report);
  checkTargets(value.targets, report);
  checkBaseline(value, report);
  checkMeasure(value.measure, report);
  checkSearch(value, report);
}

/** The rules for what judges all levels of the experiment, in any of its sizes. */
function checkShared(value: Readonly<Record<string, unknown>>, report: Report): void {
  checkJudge(value, report);
  checkGoals(value, report);
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

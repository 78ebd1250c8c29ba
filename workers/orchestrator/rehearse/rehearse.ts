import type { AskedTable, TableFacts } from '#engine-api/table-facts.ts';
import { type Chosen, chooseStatements, type ImportChoice } from '#experiment/import-statements/imported-experiment.ts';
import { type JudgedStatement, judgedStatements } from '#experiment/import-statements/judged-statements.ts';
import { type Twin, twinOf } from '#experiment/import-tables/twin.ts';
import {
  type Refusals,
  type RehearsalChoices,
  type RehearsalTarget,
  rehearsalExperiment,
} from '#experiment/rehearsal/rehearsal-experiment.ts';
import { DynoError } from '#model/error.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { Home } from '#platform/paths.ts';
import type { ToldStatements } from '#protocol/told-statements.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openGate, type TrustedExperiment, type TrustedTarget } from '#workspace/trust/gate.ts';
import { productOn, tableFactsOn, toldStatements } from '../try/ask-target.ts';
import type { Access } from '../try/own-control.ts';
import { tryOnce } from '../try/try-once.ts';
import { catalogEntry } from '../worker/targets.ts';
import type { KeptSteps } from './kept-steps.ts';
import type { Product } from './reference.ts';

/** A server whose statements are rehearsed, as it was read. */
interface ReadSource extends ToldStatements {
  readonly product: Product;
  /** The time of the reading, in ISO 8601. */
  readonly at: string;
}

/** Reads the product, the counted statements and the tables of a server, once. The server is only read. */
export async function readSource(steps: KeptSteps, target: TrustedTarget, access: Access): Promise<ReadSource> {
  const inputs = { source: target.spec };
  const kept = steps.read<ReadSource>('statements', inputs);
  if (kept !== null) return kept;
  access.onActivity(`Reading the statements that ${target.name} has counted`);
  const { product, version } = await productOn(target, access);
  const told = await toldStatements(target, access);
  const read = { ...told, product: { product, version }, at: new Date().toISOString() };
  steps.keep('statements', inputs, read);
  return read;
}

/** The statements of a server that are rehearsed. Throws 'badInput' if none can be. */
export function chosenOf({ name, engine }: TrustedTarget, { kept, tables }: ReadSource, choice: ImportChoice): Chosen {
  const language = catalogEntry(engine).descriptor.statements!;
  const chosen = chooseStatements(judgedStatements(kept, tables, language), choice);
  if (chosen.taken.length > 0) return chosen;
  const [left] = chosen.left;
  throw new DynoError('badInput', `${name} has counted no statement that a rehearsal can run.`, {
    hint: left === undefined ? 'Let your application run for a while.' : `The first one: ${left.why}`,
  });
}

/** Reads the definitions and statistics of the tables of these statements, once. The server is only read. */
export async function readTables(
  steps: KeptSteps,
  target: TrustedTarget,
  taken: readonly JudgedStatement[],
  access: Access,
): Promise<readonly TableFacts[]> {
  const names = [...new Set(taken.flatMap(({ tables }) => tables))].toSorted();
  const inputs = { source: target.spec, names };
  const kept = steps.read<readonly TableFacts[]>('tables', inputs);
  if (kept !== null) return kept;
  access.onActivity(
    `Reading the statistics of ${names.length === 1 ? names[0] : `${names.length} tables`} of ${target.name}`,
  );
  const asked = names.map((name): AskedTable => ({ schema: null, name }));
  const facts = await tableFactsOn(target, access, asked);
  if (facts.length === 0)
    throw new DynoError('badInput', `${target.name} has no statistics of ${names.join(', ')} that the user may read.`);
  steps.keep('tables', inputs, facts);
  return facts;
}

/** The rows of these tables together. */
export const rowsOf = (facts: readonly TableFacts[]): number => facts.reduce((sum, { rows }) => sum + rows, 0);

/** The most rows of a twin where nobody has chosen its scale. */
const mostRows = 1_000_000;

/** The scale of a twin where nobody has chosen one: 1, or less for tables of more than a million rows together. */
export function usualScale(facts: readonly TableFacts[]): number {
  const rows = rowsOf(facts);
  return rows <= mostRows ? 1 : Math.max(0.0001, Number((mostRows / rows).toPrecision(1)));
}

/** Everything that was chosen and read for a rehearsal, before anything is made. */
export interface Rehearsal {
  readonly home: Home;
  readonly source: TrustedTarget;
  readonly read: ReadSource;
  readonly chosen: Chosen;
  readonly facts: readonly TableFacts[];
  readonly scale: number;
  readonly keepValues: boolean;
  readonly reference: TrustedTarget;
  readonly candidates: readonly TrustedTarget[];
  readonly choices: RehearsalChoices;
}

const roleOf = ({ name, engine }: TrustedTarget): RehearsalTarget => {
  const { descriptor } = catalogEntry(engine);
  if (descriptor.statements) return { name, engine, language: descriptor.statements };
  throw new DynoError('badInput', `${descriptor.label} runs no statements of your own.`);
};

/** The method that all targets have: statements that are prepared once, or bound parameters. */
const methodOf = (targets: readonly TrustedTarget[]): MethodName =>
  targets.every(({ engine }) => catalogEntry(engine).descriptor.support.statement?.prepared) ? 'prepared' : 'bind';

/** The tables of a rehearsal. */
export const twinOfRehearsal = ({
  facts,
  scale,
  keepValues,
}: Pick<Rehearsal, 'facts' | 'scale' | 'keepValues'>): Twin => twinOf(facts, { scale, keepValues });

/** The text of a rehearsal; null: its reference runs none of the statements. */
function textOf(rehearsal: Rehearsal, refusals: Refusals | null): string | null {
  const { source, read, chosen, reference, candidates, choices } = rehearsal;
  return rehearsalExperiment({
    ...{ source: source.name, chosen, kept: read.kept, choices, refusals },
    language: catalogEntry(source.engine).descriptor.statements!,
    method: methodOf([reference, ...candidates]),
    twin: twinOfRehearsal(rehearsal),
    reference: roleOf(reference),
    candidates: candidates.map(roleOf),
  });
}

/** An experiment that Dyno has written itself, as one that may run. Throws 'badInput' if it has no plan. */
function trusted(home: Home, text: string): TrustedExperiment {
  const judged = openGate(home).experiment({ file: parseFile(text), folder: home.experiments }, false);
  if ('trusted' in judged) return judged.trusted;
  throw new DynoError('badInput', 'The rehearsal has the text of an experiment that came from elsewhere.');
}

/**
 * Tries every statement once on the reference and on each candidate, on tables of 1,000 rows at most, in transactions
 * that are rolled back, and once only. Returns the messages of the servers.
 */
export async function tryStatements(
  steps: KeptSteps,
  rehearsal: Rehearsal,
  { confirmed, ...access }: Access & { readonly confirmed: readonly string[] },
): Promise<Refusals> {
  const { home, reference } = rehearsal;
  const text = textOf(rehearsal, null)!;
  const kept = steps.read<Refusals>('tries', text);
  if (kept !== null) return kept;
  const reports = await tryOnce({ ...access, home, experiment: trusted(home, text), confirmed });
  const refusals: Record<string, Record<string, string>> = {};
  let answered = 0;
  for (const { target, item, statements, error } of reports) {
    const found = error ?? statements.find((one) => one.error !== null)?.error ?? null;
    if (found === null) {
      answered += target === reference.name ? 1 : 0;
      continue;
    }
    refusals[item.name] = { ...refusals[item.name], [target]: found.message };
  }
  if (access.signal.aborted) throw new DynoError('cancelled', 'Cancelled.');
  const [first] = Object.values(refusals).flatMap((one) => one[reference.name] ?? []);
  if (answered === 0)
    throw new DynoError('badInput', `${reference.name} runs none of the statements: ${first ?? 'it gave no answer'}`);
  steps.keep('tries', text, refusals);
  return refusals;
}

/** The experiment of a rehearsal, after its statements were tried. */
export function experimentOfRehearsal(rehearsal: Rehearsal, refusals: Refusals): TrustedExperiment {
  const text = textOf(rehearsal, refusals);
  if (text === null) throw new DynoError('badInput', `${rehearsal.reference.name} runs none of the statements.`);
  return trusted(rehearsal.home, text);
}

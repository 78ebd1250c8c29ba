import { isMapping } from '../is-mapping.ts';
import type { Path } from '../text/path-text.ts';
import { formatPause } from './load-model.ts';
import type { BlockStep, ParameterSpec, PauseStep, TransactionSpec, TransactionStep } from './statements.ts';

/** True for a pause. */
export const isPause = (step: TransactionStep): step is PauseStep => typeof step !== 'string' && 'thinkMs' in step;
/** True if users pause between the steps of any of these scenarios. */
export const havePauses = (
  scenarios: Readonly<Record<string, { readonly steps: readonly TransactionStep[] }>> = {},
): boolean => Object.values(scenarios).some(({ steps }) => steps.some(isPause));
/** True for a block of steps. */
export const isBlock = (step: TransactionStep): step is BlockStep => typeof step !== 'string' && 'steps' in step;

/** Names of the statements in steps and their blocks, with repetitions; accepts steps that have not been validated. */
export const statementsIn = (steps: unknown): readonly string[] =>
  (Array.isArray(steps) ? steps : []).flatMap((step: unknown) => {
    if (typeof step === 'string') return [step];
    return isMapping(step) ? [...statementsIn(step.steps), ...statementsIn(step.otherwise)] : [];
  });

/** Parameters that several steps share. `owner`: the transaction and the path of its block, unique in the file. */
interface SharedScope {
  readonly owner: string;
  readonly parameters: Readonly<Record<string, ParameterSpec>>;
}

/** The parameters of the transaction and its blocks that contain the statement, outermost first; null: all blocks. */
export function scopesAround(
  statement: string | null,
  name: string,
  { steps, parameters }: Pick<TransactionSpec, 'steps' | 'parameters'>,
): readonly SharedScope[] {
  const within = (some: readonly TransactionStep[], owner: string): readonly SharedScope[] =>
    some.flatMap((step, i) => {
      if (!isBlock(step)) return [];
      const at = `${owner}[${i}]`;
      const inSteps = statement === null || statementsIn(step.steps).includes(statement);
      return [
        ...(inSteps ? [{ owner: at, parameters: step.parameters }, ...within(step.steps, at)] : []),
        ...within(step.otherwise ?? [], `${at}-`),
      ];
    });
  return [{ owner: name, parameters }, ...within(steps, name)];
}

/** "find, think 20 to 40 ms, (buy, pay) 1 to 3 times, 60 %: (ask) else (look)". */
export const stepsText = (steps: readonly TransactionStep[]): string =>
  steps
    .map((step) => (typeof step === 'string' ? step : isPause(step) ? `think ${formatPause(step)}` : blockText(step)))
    .join(', ');

function blockText({ steps, times = 1, probability, otherwise = [] }: BlockStep): string {
  const often =
    typeof times === 'number' ? (times === 1 ? '' : ` ${times} times`) : ` ${times.min} to ${times.max} times`;
  const chance = probability === undefined ? '' : `${Math.round(probability * 1_000) / 10} %: `;
  return `${chance}(${stepsText(steps)})${often}${otherwise.length > 0 ? ` else (${stepsText(otherwise)})` : ''}`;
}

/** Every mapping of parameters in an unvalidated statement, transaction or scenario and its blocks, with its path. */
export function parameterScopes(
  owner: unknown,
  path: Path,
): readonly { readonly parameters: Readonly<Record<string, unknown>>; readonly path: Path }[] {
  if (!isMapping(owner)) return [];
  const own = isMapping(owner.parameters) ? [{ parameters: owner.parameters, path: [...path, 'parameters'] }] : [];
  const within = (['steps', 'otherwise'] as const).flatMap((part) =>
    (Array.isArray(owner[part]) ? (owner[part] as unknown[]) : []).flatMap((step, i) =>
      parameterScopes(step, [...path, part, i]),
    ),
  );
  return [...own, ...within];
}

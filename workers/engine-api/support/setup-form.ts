import { setupShape } from '#model/statements/setup-shape.ts';
import type { EngineDescriptor } from '../descriptor.ts';
import type { SetupForm } from '../setup.ts';

/** The form of a statement of `setup`, or the reason, as sentences, why the engine does not take it. */
type FoundForm = { readonly form: SetupForm } | { readonly why: string };

/**
 * Finds the form of a statement. `own`: its name in the file, which {name} in the text stands for. Pure.
 */
export function setupFormOf(
  { label, setup, statements }: Pick<EngineDescriptor, 'label' | 'setup' | 'statements'>,
  text: string,
  own: string,
): FoundForm {
  if (!setup || !statements) return { why: `${label} has no statements of setup.` };
  const found = setupShape(text, statements, [own]);
  if ('why' in found) return found;
  const { shape } = found;
  const form = setup.forms.find((one) => new RegExp(`^(?:${one.shape})$`, 's').test(shape));
  if (form) return { form };
  const refused = setup.refused?.find((one) => new RegExp(`^(?:${one.shape})`).test(shape));
  return { why: refused?.why ?? whyNot(shape, own, setup.forms) };
}

/**
 * The reason, as sentences, why an engine does not take a text of `teardown`; null: it takes it. `made`: the names in
 * the file of the statements of `setup`. Pure.
 */
export function notTeardownText(
  { label, setup, statements }: Pick<EngineDescriptor, 'label' | 'setup' | 'statements'>,
  text: string,
  made: readonly string[],
): string | null {
  if (!setup || !statements) return `${label} has no statements of teardown.`;
  const found = setupShape(text, statements, made);
  if ('why' in found) return found.why;
  const { shape } = found;
  const forms = [...setup.teardown, ...setup.forms.filter(({ makes }) => makes === undefined)];
  if (forms.some((one) => new RegExp(`^(?:${one.shape})$`, 's').test(shape))) return null;
  const head = shape.split('{')[0]!;
  if (/^create\b/.test(head)) return 'It makes something, and no statement comes behind it that would drop it.';
  if (/^(?:insert|update(?! statistics)|delete|merge|replace|truncate)\b/.test(head))
    return 'It changes rows: those of Dyno’s tables are dropped right behind it, and Dyno could not bring back others.';
  const taken = forms.map(({ implementation }) => implementation).join('; ');
  return /^(?:drop|call|exec)/.test(head) && !shape.startsWith(`${head}{own}`)
    ? `It drops or calls something that no statement of setup has made. It takes: ${taken}.`
    : `Dyno could not undo it. It takes: ${taken}.`;
}

function whyNot(shape: string, own: string, forms: readonly SetupForm[]): string {
  const head = shape.split('{')[0]!;
  if (/\bor (?:replace|alter)\b/.test(head))
    return `It would replace what exists. Write CREATE: the name of {${own}} is new in each trial.`;
  if (/\bif (?:not )?exists\b/.test(head))
    return `It may leave an object in its place that somebody else has made. Leave IF out: the name of {${own}} is new in each trial.`;
  if (/^create\b/.test(head) && !shape.startsWith(`${head}{own}`))
    return `The object’s name has to be {${own}}, the name of the statement: Dyno drops the objects that carry this name, and no others.`;
  if (/^(?:drop|truncate|revoke|rename)\b/.test(head)) return 'It takes something away that Dyno could not bring back.';
  if (/^(?:insert|update(?! statistics)|delete|merge|replace|copy|load)\b/.test(head))
    return 'It changes rows, which Dyno has made and verifies. Rows come from `dataset` and `tables`.';
  return `Dyno could not undo it. It takes: ${forms.map(({ implementation }) => implementation).join('; ')}.`;
}

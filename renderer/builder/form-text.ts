import type { Fix } from '#model/text/diagnostic.ts';
import { formatPath, parsePath } from '#model/text/path-text.ts';
import { asText, at, isRecord, type Raw } from './draft/raw-experiment.ts';
import { hasNames, labelAt, spaced } from './form/form-field.ts';
import { settingField } from './form/setting-fields.ts';
import { isFileKey, sectionOf, sections } from './outline/sections.ts';

/** Keys that the name of the section already expresses. */
const sectionKeys: readonly string[] = ['workload', 'factors', 'targets', 'measure'];

/**
 * The place of a problem in the words of the form: "Factors › Method › level 3", "Targets › my-server › Port". Empty
 * for text that is not valid YAML.
 */
export function problemPlace(path: string, raw: Raw): string {
  const section = sectionOf(path);
  if (section === null) return '';
  const steps = parsePath(path);
  const words = steps.flatMap((step, i): readonly string[] => {
    if (typeof step === 'string') {
      if (i === 0 && sectionKeys.includes(step)) return [];
      // Names stay as they are; factors have those of settings, too.
      const isName = hasNames(steps.slice(0, i));
      const setting = isName && steps[i - 1] !== 'factors' ? undefined : settingField(step)?.label;
      return [setting ?? (isName ? step : (labelAt(steps.slice(0, i + 1)) ?? spaced(step)))];
    }
    const item = at(raw, steps.slice(0, i + 1));
    if (isRecord(item) && typeof item.name === 'string') return [item.name];
    if (steps[i - 1] === 'targets') return [asText(item)];
    return [`${steps[0] === 'factors' ? 'level' : 'item'} ${step + 1}`];
  });
  const label = sections.find(({ id }) => id === section)?.label ?? '';
  return [label, ...words.filter((word) => word !== label)].join(' › ');
}

/** The first sentence of a text. */
export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** Replaces the code marks of a message by quotation marks: `x` becomes “x”. */
export const withoutMarks = (text: string): string => text.replaceAll(/`([^`]*)`/g, '“$1”');

/** Replaces settings and paths of the file by the names in the form. Other names get quotation marks. */
export const asFormText = (text: string, raw: Raw): string =>
  text.replaceAll(/`([^`]*)`/g, (_, code: string) => `“${formName(code, raw)}”`);

/** A path has at least two steps, because a single word may be a name of the user. */
const isPath = (code: string): boolean => /^[A-Za-z]+(\.[A-Za-z]\w*|\[\d+\])+$/.test(code) && isFileKey(code);

const formName = (code: string, raw: Raw): string =>
  settingField(code)?.label ?? (isPath(code) ? problemPlace(code, raw) : code);

/** The effect of a fix, in the words of the form. */
export function fixText(fix: Fix, raw: Raw): string {
  if (fix.kind === 'several') return fix.fixes.map((one) => fixText(one, raw)).join('; ');
  // The form has no field for an unknown key.
  if (fix.kind === 'rename') return `Rename “${String(fix.path.at(-1))}” to “${fix.name}”`;
  const field = problemPlace(formatPath(fix.path), raw).split(' › ').at(-1) ?? '';
  if (fix.value === undefined) return `Remove “${field}”`;
  return typeof fix.value === 'object' ? `Add “${field}”` : `Set “${field}” to ${String(fix.value)}`;
}

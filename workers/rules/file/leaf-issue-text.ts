import { formatUpTo } from '#model/format/format.ts';
import { nearestWord } from '#model/text/nearest-word.ts';
import { readNumber, unitOfKey } from '#model/text/read-number.ts';

/** The parts of a valibot issue that leafIssueText reads. */
interface LeafIssue {
  readonly type: string;
  readonly expected: string | null;
  readonly requirement?: unknown;
  readonly message: string;
}

interface Words {
  readonly message: string;
  readonly suggestion: string | null;
  /** The value that was probably meant, or the nearest one allowed; undefined where none is. */
  readonly meant?: unknown;
}

/** Describes the problem of a key's value: the expected value, the actual one, and a suggestion. */
export function leafIssueText(issue: LeafIssue, value: unknown, help: string | null, key: string): Words {
  const found = shown(value);
  switch (issue.type) {
    case 'picklist': {
      const choices = (issue.expected ?? '').replaceAll(/[()"]/g, '').split(' | ');
      const meant = typeof value === 'string' ? nearestWord(value, choices) : null;
      const message = `Expected one of ${choices.join(', ')}; found ${found}.`;
      return meant === null
        ? { message, suggestion: null }
        : { message, suggestion: `Did you mean \`${meant}\`?`, meant };
    }
    case 'literal':
      return {
        message: `Expected the number ${issue.expected}; found ${found}.`,
        suggestion: help,
        meant: Number(issue.expected),
      };
    case 'number':
    case 'integer':
    case 'safe_integer': {
      const message = `Expected a ${issue.type === 'number' ? '' : 'whole '}number; found ${found}.`;
      // `20_000`, `20,5`, `20k` and `"5"` are texts in YAML; a number is nearly always meant.
      const read = typeof value === 'string' ? readNumber(value, { unit: unitOfKey(key), decimalSign: 'ask' }) : null;
      const meant = typeof value === 'number' ? Math.round(value) : (read?.value ?? null);
      const isWhole = issue.type !== 'number';
      if (meant === null || (isWhole && !Number.isSafeInteger(meant)))
        return { message, suggestion: /\d/.test(String(value)) ? (read?.problem ?? help) : help };
      return { message, suggestion: `Write it as a plain number: ${meant}.`, meant };
    }
    case 'string':
      return {
        message: `Expected text; found ${found}.`,
        suggestion: isSingle(value) ? `Put it into quotes: "${String(value)}".` : help,
        ...(isSingle(value) && { meant: String(value) }),
      };
    case 'min_value':
      return {
        message: `Must be at least ${String(issue.requirement)}; found ${found}.`,
        suggestion: help,
        meant: issue.requirement,
      };
    case 'gt_value':
      return { message: `Must be above ${String(issue.requirement)}; found ${found}.`, suggestion: help };
    case 'max_value':
      return {
        message: `Must be at most ${formatUpTo(Number(issue.requirement))}; found ${found}.`,
        suggestion: help,
        meant: issue.requirement,
      };
    case 'min_length':
      return { message: 'Must not be empty.', suggestion: help };
    case 'max_length':
      return { message: `Must have at most ${String(issue.requirement)} characters.`, suggestion: help };
    case 'iso_date':
      return { message: `Expected a date like 2026-01-31; found ${found}.`, suggestion: help };
    case 'regex':
      return { message: `${found} ${issue.message}.`, suggestion: help };
    default:
      return { message: `${issue.message}.`, suggestion: help };
  }
}

const isSingle = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'keys with values';
  if (value === '') return 'an empty text';
  const text = String(value).slice(0, 60);
  // A text that looks like a number or yes/no is the usual reason.
  return typeof value === 'string' && /^[\d\s.,'_+-]+[kKmM]?$|^(?:true|false|null)$/.test(value)
    ? `the text "${text}"`
    : `\`${text}\``;
}

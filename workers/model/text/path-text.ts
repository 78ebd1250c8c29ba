import { DynoError } from '../error.ts';

/** Keys and list positions from the top of an experiment file. */
export type Path = readonly (string | number)[];

/** A path as text: `factors.method[2]`; keys with other characters are quoted: `factors["rows per call"]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

const step = /(?:^|\.)(?<word>[^.[\]"=]+)|(?:^|\.)?\[(?<index>\d{1,9})\]|(?:^|\.)?\[(?<quoted>"(?:[^"\\]|\\.)*")\]/uy;

/** Parses the output of {@link formatPath}, and also `targets.0.port`. Throws DynoError('badInput'). */
export function parsePath(text: string): Path {
  const path: (string | number)[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const at = step.lastIndex;
    const found = step.exec(text)?.groups;
    if (!found) throw badPath(text, at);
    if (found.word !== undefined) path.push(/^\d{1,9}$/.test(found.word) ? Number(found.word) : found.word);
    else if (found.index !== undefined) path.push(Number(found.index));
    else path.push(unquote(found.quoted ?? '', text, at));
  }
  if (path.length === 0) throw badPath(text, 0);
  return path;
}

function unquote(quoted: string, text: string, at: number): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw badPath(text, at);
  }
}

const badPath = (text: string, at: number): DynoError =>
  new DynoError('badInput', `"${text}" is not a path into an experiment file (position ${at + 1}).`, {
    hint: 'Write keys with dots and list positions in brackets: dataset.rows, factors.method[0], targets[0].port.',
  });

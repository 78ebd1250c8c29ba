import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { oneLine } from '#model/text/printable.ts';
import { formatFigure, type TimedWork, type TimeFigure } from '#planning/judged/trial-times.ts';
import { rules } from '../findings/registry.ts';

/** One condition under which a gate fails. Shares are 0…1. */
export type GateCondition =
  /** The throughput of a cell is less than the baseline's by more than this share. */
  | { readonly kind: 'slower'; readonly share: number }
  /** A time of the calls is longer than the baseline's by more than this share. `work`: null: of all units of work. */
  | { readonly kind: 'time'; readonly work: TimedWork; readonly figure: TimeFigure; readonly share: number }
  /** More than this share of the calls fail. */
  | { readonly kind: 'errors'; readonly share: number }
  /** The run shows this finding. */
  | { readonly kind: 'finding'; readonly id: string }
  /** A goal of the experiment is missed. */
  | { readonly kind: 'goal' };

/** The forms of a condition, for the help and for error messages. */
export const conditionForms =
  '“slower 5%”, “p99 10%” (also mean, p50, p95), “statement:NAME 10%”, “statement:NAME p99 10%”, “errors 0.1%”, “finding:ID”, “goal”';

/** True if the condition compares the run with a baseline. */
export const needsBaseline = ({ kind }: GateCondition): boolean => kind === 'slower' || kind === 'time';

/** Reads a condition as it is written on the command line. Throws 'badInput' with the possible forms. */
export function parseCondition(written: string): GateCondition {
  const text = written.trim();
  if (/^goals?$/.test(text)) return { kind: 'goal' };
  const finding = /^finding:\s*(\S+)$/.exec(text)?.[1];
  if (finding !== undefined) return { kind: 'finding', id: knownRule(finding) };
  const [, what = '', percent = ''] = /^(.+?)\s+([\d.]+)\s*%$/.exec(text) ?? [];
  const share = shareOf(percent);
  if (share === null) throw wrong(written);
  if (what === 'slower' && share < 1) return { kind: 'slower', share };
  if (what === 'errors' && share < 1) return { kind: 'errors', share };
  const [, statement = null, figure = ''] = /^statement:(.+?)(?:\s+(mean|p\d[\d.]*))?$/.exec(what) ?? [];
  const judged = figureOf(statement === null ? what : figure || 'mean');
  if (judged === null) throw wrong(written);
  return { kind: 'time', work: statement, figure: judged, share };
}

/** "slower 5%", "statement:pay p99 10%": the condition as `parseCondition` reads it. */
export function formatCondition(condition: GateCondition): string {
  switch (condition.kind) {
    case 'slower':
    case 'errors':
      return `${condition.kind} ${percentOf(condition.share)}`;
    case 'time': {
      const { work, figure, share } = condition;
      return `${work === null ? '' : `statement:${work} `}${formatFigure(figure)} ${percentOf(share)}`;
    }
    case 'finding':
      return `finding:${condition.id}`;
    case 'goal':
      return 'goal';
  }
}

const percentOf = (share: number): string => `${Number((share * 100).toFixed(6))}%`;

/** Per cent as a share; null for anything but a decimal number. */
function shareOf(percent: string): number | null {
  return /^\d+(\.\d+)?$/.test(percent) ? Number(percent) / 100 : null;
}

/** "mean", "p99", "p99.9"; null for other words. */
function figureOf(word: string): TimeFigure | null {
  if (word === 'mean') return 'mean';
  const quantile = /^p(\d{1,2}(\.\d{1,4})?)$/.exec(word)?.[1];
  return quantile === undefined || Number(quantile) === 0 ? null : Number((Number(quantile) / 100).toFixed(8));
}

function knownRule(word: string): string {
  if (rules.some(({ id }) => id === word)) return word;
  const ids = rules.map(({ id }) => id);
  throw new DynoError('badInput', `There is no finding “${oneLine(word).slice(0, 60)}”.`, {
    hint: didYouMean(word, ids) ?? `The findings are ${ids.join(', ')}.`,
  });
}

const wrong = (written: string): DynoError =>
  new DynoError('badInput', `“${oneLine(written).slice(0, 80)}” is no condition of a gate.`, {
    hint: `Conditions are ${conditionForms}.`,
  });

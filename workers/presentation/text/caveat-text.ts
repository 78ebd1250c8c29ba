import { cellName } from '#analysis/findings/shared/cell-name.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { gradeLabels, gradeReason } from '#analysis/grade/grade-text.ts';
import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { variantText } from '#planning/variant-of.ts';

/** Caveats of one kind. */
export interface CaveatGroup {
  readonly severity: Caveat['severity'];
  readonly title: string;
  /** The number of cells. 0 means the whole run. */
  readonly cells: number;
  /** The distinct texts, each with its cells. */
  readonly entries: readonly { readonly text: string; readonly places: readonly string[] }[];
}

/** True if the caveat reports an error. Errors come before the results, other caveats after them. */
export const isError = ({ severity }: Pick<Caveat, 'severity'>): boolean => severity === 'error';

const severities: readonly Caveat['severity'][] = ['error', 'warning', 'info'];

/** Groups caveats by kind. The most severe kinds come first, then the kinds with the most cells. */
export function groupCaveats({ plan }: Pick<RunModel, 'plan'>, caveats: readonly Caveat[]): readonly CaveatGroup[] {
  const rank = ({ severity }: CaveatGroup) => severities.indexOf(severity);
  return [...Map.groupBy(caveats, ({ severity, title }) => `${severity} ${title}`).values()]
    .map((own): CaveatGroup => {
      const { severity, title } = own[0]!;
      const entries = [...Map.groupBy(own, ({ text }) => text)].map(([text, same]) => ({
        text,
        places: same.flatMap(({ cell }) => (cell === null ? [] : [placeOf(plan, cell)])),
      }));
      return { severity, title, cells: own.filter(({ cell }) => cell !== null).length, entries };
    })
    .toSorted((a, b) => rank(a) - rank(b) || b.cells - a.cells);
}

function placeOf(plan: RunModel['plan'], { variant, target }: NonNullable<Caveat['cell']>): string {
  if (variant !== undefined && target !== undefined) return cellName(plan, { variant, target });
  return variant === undefined ? (target ?? '') : variantText(plan, variant);
}

/** "High variability: 8 cells", "Unequal durability". */
export const caveatGroupText = ({ title, cells }: CaveatGroup): string =>
  cells === 0 ? title : `${title}: ${cells} ${cells === 1 ? 'cell' : 'cells'}`;

/** The words in place of caveats: the reason of the grade if its rules found a problem that is no caveat. */
export function noCaveatText(model: RunModel): string {
  if (model.cells.every(({ ok }) => ok === 0)) return 'No result.';
  const grade = gradeOf(model);
  return grade === null || grade.level === 'good'
    ? 'No problem with the data was found.'
    : `${gradeLabels[grade.level]}. ${gradeReason(grade)}`;
}

/** The most cells that are named. More cells are counted. */
const mostPlaces = 4;

/** "bulk on SQLite; bind on SQLite and 3 more". */
export const placesText = (places: readonly string[]): string =>
  places.length <= mostPlaces
    ? places.join('; ')
    : `${places.slice(0, mostPlaces - 1).join('; ')} and ${places.length - mostPlaces + 1} more`;

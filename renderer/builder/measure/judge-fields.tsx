import { judgeWords } from '#experiment/schema/judge.ts';
import { keysOf } from '#model/keys-of.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { asText, isRecord, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { fieldAt } from '../form/form-field.ts';
import { Helped } from '../form/helped.tsx';
import { firstSentence } from '../form-text.ts';

const none = '';
/** The quantiles that the form offers for each statement; the file takes any other, too. */
const quantiles = [0.5, 0.95, 0.99, 1] as const;

/** A quantity as the value of a choice, in whatever order the file has its keys. */
const idOf = (item: unknown): string =>
  isRecord(item) ? JSON.stringify([item.statement, item.quantile]) : asText(item);

const labelOf = (item: unknown): string => {
  if (!isRecord(item))
    return Object.hasOwn(judgeWords, asText(item)) ? judgeWords[item as keyof typeof judgeWords] : asText(item);
  return `${typeof item.quantile === 'number' ? formatFigure(item.quantile) : '–'} of ${asText(item.statement)}`;
};

/** The quantities that are judged, one after another: the first, and each further one below it. */
export const JudgeFields = ({ raw }: { readonly raw: Raw }) => {
  const judged = listAt(raw, ['judge']);
  const { title, description } = fieldAt(['judge']);
  const works = ['statements', 'transactions', 'scenarios'].flatMap((key) => Object.keys(recordAt(raw, [key])));
  const offered: readonly unknown[] = [
    ...keysOf(judgeWords),
    ...works.flatMap((statement) => quantiles.map((quantile) => ({ statement, quantile }))),
  ];
  const set = (i: number, id: string) => {
    const known = [...offered, ...judged].find((item) => idOf(item) === id);
    const list = id === none ? judged.toSpliced(i, 1) : judged.toSpliced(i, 1, known);
    edit(['judge'], list.length === 0 ? undefined : list);
  };
  return [...judged, undefined].map((item, i) => {
    const others = judged.filter((_, other) => other !== i).map(idOf);
    const own = [...(item === undefined || offered.some((one) => idOf(one) === idOf(item)) ? [] : [item]), ...offered];
    const choices: readonly Choice[] = [
      { id: none, label: item !== undefined ? 'Remove' : i === 0 ? 'Default' : 'Nothing else' },
      ...own.filter((one) => !others.includes(idOf(one))).map((one) => ({ id: idOf(one), label: labelOf(one) })),
    ];
    const label = i === 0 ? title : `and by ${i + 1}`;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a quantity has no identity besides its place
      <Helped key={i} about={label} help="judge">
        <Select
          label={label}
          help={i === 0 ? firstSentence(description) : undefined}
          value={item === undefined ? none : idOf(item)}
          choices={choices}
          onChange={(id) => set(i, id)}
        />
      </Helped>
    );
  });
};

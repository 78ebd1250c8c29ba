import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Raw } from '../draft/raw-experiment.ts';
import { editAll } from '../form/edit.ts';
import { texts } from '../text.ts';
import { changesTo, type Mode, modeOf } from './modes.ts';

const cards: readonly { readonly id: Mode; readonly title: string; readonly about: string }[] = [
  {
    id: 'compare',
    title: texts.modeCards.compare,
    about: texts.modeCards.whichMethodSettingOrServer,
  },
  {
    id: 'maximum',
    title: texts.modeCards.findMaximumLoad,
    about: texts.modeCards.theHighestLoadWhoseP99,
  },
  {
    id: 'custom',
    title: texts.modeCards.customSql,
    about: texts.modeCards.statementsAndTransactionsOfYour,
  },
];

/** The kinds of experiments. A choice changes the file in one step, which Undo takes back. */
export const ModeCards = ({ raw }: { readonly raw: Raw }) => (
  <RadioGroup
    className="mode-cards"
    aria-label={texts.modeCards.kindOfExperiment}
    value={modeOf(raw)}
    onChange={(mode) => editAll(changesTo(mode as Mode, raw))}
  >
    {cards.map(({ id, title, about }) => (
      <Radio key={id} value={id} className="mode-card" aria-label={title}>
        <strong>{title}</strong>
        <span className="muted">{about}</span>
      </Radio>
    ))}
  </RadioGroup>
);

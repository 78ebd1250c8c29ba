import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { draft } from '../draft/draft-store.ts';
import { type Raw, readRaw } from '../draft/raw-experiment.ts';
import { editAll } from '../form/edit.ts';
import { changesTo, type Mode, modeOf } from './modes.ts';

const cards: readonly { readonly id: Mode; readonly title: string; readonly about: string }[] = [
  {
    id: 'compare',
    title: 'Compare',
    about: 'Shows which method, setting or target is fastest, and by how much.',
  },
  {
    id: 'maximum',
    title: 'Find maximum load',
    about: 'Finds the highest load whose p99 latency stays below a limit.',
  },
  {
    id: 'custom',
    title: 'Custom SQL',
    about: 'Runs your own statements and transactions on Dyno’s tables or on yours.',
  },
];

/** The kinds of experiments. A choice changes the file in one undo step. */
export const ModeCards = ({ raw }: { readonly raw: Raw }) => (
  <RadioGroup
    className="mode-cards"
    aria-label="Kind of experiment"
    value={modeOf(raw)}
    onChange={(mode) => editAll(changesTo(mode as Mode, raw, readRaw(draft.get()?.savedText ?? '') ?? {}))}
  >
    {cards.map(({ id, title, about }) => (
      <Radio key={id} value={id} className="mode-card" aria-label={title}>
        <strong>{title}</strong>
        <span className="muted">{about}</span>
      </Radio>
    ))}
  </RadioGroup>
);

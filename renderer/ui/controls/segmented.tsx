import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { Choice } from './fields.tsx';

interface Props {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** A choice among a few visible options. */
export const Segmented = ({ label, choices, value, onChange }: Props) => (
  <ToggleButtonGroup
    className="segmented"
    aria-label={label}
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(keys) => {
      const [next] = keys;
      if (next !== undefined) onChange(String(next));
    }}
  >
    {choices.map((choice) => (
      <ToggleButton key={choice.id} id={choice.id} className="segment">
        {choice.label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);

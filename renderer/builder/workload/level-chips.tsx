import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { formatUpTo } from '#model/format/format.ts';
import type { NumberRules } from '#model/text/read-number.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField, numberProblem } from '../../ui/controls/number-field.tsx';
import { Icon } from '../../ui/icon.tsx';

type Level = string | number | boolean;

interface Props {
  readonly factor: string;
  readonly levels: readonly Level[];
  readonly onChange: (levels: readonly Level[]) => void;
}

/** Levels as removable chips. */
export const LevelChips = ({ factor, levels, onChange }: Props) => (
  <TagGroup
    aria-label={`Levels of ${factor}`}
    className="chips"
    {...(levels.length > 1 ? { onRemove: (keys) => onChange(levels.filter((level) => !keys.has(String(level)))) } : {})}
  >
    <TagList className="chip-list">
      {levels.map((level) => (
        <Tag key={String(level)} id={String(level)} className="chip" textValue={String(level)}>
          {({ allowsRemoving }) => (
            <>
              <span>{typeof level === 'number' ? formatUpTo(level) : String(level)}</span>
              {allowsRemoving && (
                <AriaButton slot="remove" className="chip-remove" aria-label={`Remove level ${String(level)}`}>
                  <Icon name="close" />
                </AriaButton>
              )}
            </>
          )}
        </Tag>
      ))}
    </TagList>
  </TagGroup>
);

/** Adds a number to the levels, in ascending order. */
export const AddNumber = ({ factor, levels, rules, onChange }: Props & { readonly rules: NumberRules }) => {
  const [value, setValue] = useState<NumberEntry>(null);
  const add = () => {
    if (typeof value !== 'number' || levels.includes(value) || numberProblem(value, rules) !== null) return;
    onChange([...levels, value].toSorted((a, b) => Number(a) - Number(b)));
    setValue(null);
  };
  return (
    <form
      className="row add-level"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <NumberField
        label={`New level of ${factor}`}
        hideLabel
        placeholder="Add"
        {...rules}
        value={value}
        onChange={setValue}
      />
      <IconButton icon="plus" label={`Add level to ${factor}`} type="submit" />
    </form>
  );
};

/** Appends a text to the levels. */
export const AddText = ({ factor, levels, onChange }: Props) => {
  const [text, setText] = useState('');
  return (
    <form
      className="row add-level"
      onSubmit={(event) => {
        event.preventDefault();
        if (text === '' || levels.includes(text)) return;
        onChange([...levels, text]);
        setText('');
      }}
    >
      <TextField label={`New level of ${factor}`} hideLabel placeholder="Add" value={text} onChange={setText} />
      <IconButton icon="plus" label={`Add level to ${factor}`} type="submit" isDisabled={text === ''} />
    </form>
  );
};

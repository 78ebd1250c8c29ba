import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { formatCount } from '#model/format/format.ts';
import { longestScript } from '#model/statements/longest-script.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { StepTitle } from './step-title.tsx';

/**
 * The text of a file that the user has chosen, or the reason why it is none. The text only fills the field, as if it
 * was pasted: nothing of it runs before the user presses Run, so that it needs no question.
 */
async function textOf(file: File): Promise<{ readonly text: string; readonly problem: string | null }> {
  const refused = (problem: string) => ({ text: '', problem });
  // A character has four bytes at most.
  if (file.size > longestScript * 4) return refused(tooLong(file.name));
  try {
    const text = await file.text();
    if (text.length > longestScript) return refused(tooLong(file.name));
    return text.includes('\0') ? refused(`“${file.name}” is no text in UTF-8.`) : { text, problem: null };
  } catch {
    return refused(`“${file.name}” cannot be read any more. Choose it again.`);
  }
}

const tooLong = (name: string): string =>
  `“${name}” is too long: Dyno reads scripts of up to ${formatCount(longestScript)} characters. Take the statements and tables that the experiment needs.`;

interface Props {
  /** The number and the title of the step. */
  readonly step: number;
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly problem: string | undefined;
  readonly autoFocus?: boolean;
  readonly onChange: (text: string) => void;
  /** Further buttons beside the title. */
  readonly buttons?: ReactNode;
  /** Shown between the title and the text. */
  readonly children?: ReactNode;
}

/** A step in which the user pastes SQL, or opens a file of it. */
export const SqlText = ({
  step,
  title,
  label,
  value,
  placeholder,
  problem,
  onChange,
  buttons,
  children,
  ...more
}: Props) => {
  const file = useRef<HTMLInputElement>(null);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const openFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [picked] = target.files ?? [];
    // The same file can be opened again after it has changed.
    const opened = picked && (await textOf(picked));
    target.value = '';
    if (opened === undefined) return;
    setFileProblem(opened.problem);
    if (opened.problem === null) onChange(opened.text);
  };
  return (
    <>
      <StepTitle step={step} title={title}>
        <span className="grow" />
        <input
          ref={file}
          type="file"
          accept=".sql,text/plain"
          hidden
          aria-label={`${title} file`}
          onChange={(event) => void openFile(event)}
        />
        {buttons}
        <Button kind="quiet" onPress={() => file.current?.click()}>
          Open a file…
        </Button>
      </StepTitle>
      {children}
      <TextField
        label={label}
        hideLabel
        multiline
        placeholder={placeholder}
        value={value}
        problem={fileProblem ?? problem}
        onChange={(typed) => {
          setFileProblem(null);
          onChange(typed);
        }}
        {...more}
      />
    </>
  );
};

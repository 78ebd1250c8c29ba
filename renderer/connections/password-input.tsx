import type { ConfigField } from '#engine-api/config.ts';
import { mostValidMinutes } from '#model/connections.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Checkbox, Select, TextField } from '../ui/controls/fields.tsx';
import { NumberField } from '../ui/controls/number-field.tsx';
import type { PasswordChoice, PasswordForm } from './connection-form-model.ts';

interface Props {
  readonly field: ConfigField;
  readonly value: PasswordForm;
  readonly problem: string | undefined;
  /** The reason why this machine cannot store passwords. Null if it can. */
  readonly cannotStore: string | null;
  readonly suggestion: string;
  readonly onChange: (change: Partial<PasswordForm>) => void;
}

/** The source of a password, and a write-only input for it. */
export const PasswordInput = ({ field, value, problem, cannotStore, suggestion, onChange }: Props) => {
  const { choice, typed, variable, command, validMinutes, kept, remember } = value;
  const choices: readonly { readonly id: PasswordChoice; readonly label: string }[] = [
    ...(cannotStore === null || choice === 'stored'
      ? [{ id: 'stored' as const, label: 'Stored, encrypted by the operating system' }]
      : []),
    { id: 'ask', label: 'Ask for each run or test' },
    { id: 'environment', label: 'From an environment variable' },
    { id: 'command', label: 'Printed by a command' },
    { id: 'none', label: 'None' },
  ];
  const typedField = (help: string, placeholder: string) => (
    <TextField
      label={field.label}
      type="password"
      help={help}
      problem={problem}
      placeholder={placeholder}
      value={typed}
      onChange={(text) => onChange({ typed: text })}
    />
  );
  return (
    <div className="password-input span-all">
      <Select
        label={`${field.label} source`}
        help={choice === 'stored' || choice === 'ask' ? (cannotStore ?? undefined) : undefined}
        value={choice}
        choices={choices}
        onChange={(id) =>
          onChange({
            choice: id as PasswordChoice,
            ...(id === 'environment' && variable === '' ? { variable: suggestion } : {}),
          })
        }
      />
      {choice === 'stored' && (
        <div className="password-typed">
          {typedField(
            kept
              ? 'Leave it empty to keep the stored password.'
              : 'Only Dyno’s window on this computer can use the password. No file contains it in plain text.',
            kept ? '•••••••• (stored)' : '',
          )}
          {kept && (
            <IconButton
              icon="trash"
              label={`Forget the stored ${field.label}`}
              onPress={() => onChange({ choice: 'none', typed: '', kept: false })}
            />
          )}
        </div>
      )}
      {choice === 'ask' && (
        <div className="password-asked">
          {typedField(
            remember
              ? 'If you save, the password stays in memory. It is not written to a file.'
              : 'The password is only used for tests from this form.',
            '',
          )}
          <Checkbox
            label="Remember until Dyno quits"
            checked={remember}
            onChange={(next) => onChange({ remember: next })}
          />
        </div>
      )}
      {choice === 'command' && (
        <>
          <TextField
            label={`Command that prints ${field.label}`}
            help="The program, then one argument per line. Dyno runs it without a shell whenever it connects, and once more if a login is refused. If the command prints JSON, Dyno uses its token."
            problem={problem}
            multiline
            placeholder="pass
show
db/staging"
            value={command}
            onChange={(text) => onChange({ command: text })}
          />
          <NumberField
            label="Valid for (minutes)"
            help="How long a token is valid: Dyno runs the command again before it expires. If empty, Dyno takes the time from the JSON, or runs the command again after a refused login."
            placeholder="as the command says"
            unit="min"
            whole
            min={1}
            max={mostValidMinutes}
            value={validMinutes}
            onChange={(minutes) => onChange({ validMinutes: minutes })}
          />
        </>
      )}
      {choice === 'environment' && (
        <TextField
          label="Environment variable"
          help="Dyno reads it when a run or a test starts, also on the command line."
          problem={problem}
          value={variable}
          onChange={(text) => onChange({ variable: text.replaceAll(/[^A-Za-z0-9_]/g, '') })}
        />
      )}
    </div>
  );
};

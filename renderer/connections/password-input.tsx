import type { ConfigField } from '#engine-api/config.ts';
import { mostValidMinutes } from '#model/connections.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Checkbox, Select, TextField } from '../ui/controls/fields.tsx';
import { NumberField } from '../ui/controls/number-field.tsx';
import type { PasswordChoice, PasswordForm } from './connection-form-model.ts';
import { texts } from './text.ts';

interface Props {
  readonly field: ConfigField;
  readonly value: PasswordForm;
  readonly problem: string | undefined;
  /** Why this machine cannot store passwords; null if it can. */
  readonly cannotStore: string | null;
  readonly suggestion: string;
  readonly onChange: (change: Partial<PasswordForm>) => void;
}

/** A password's source, and a write-only input for the password. */
export const PasswordInput = ({ field, value, problem, cannotStore, suggestion, onChange }: Props) => {
  const { choice, typed, variable, command, validMinutes, kept, remember } = value;
  const choices: readonly { readonly id: PasswordChoice; readonly label: string }[] = [
    ...(cannotStore === null || choice === 'stored'
      ? [{ id: 'stored' as const, label: texts.passwordInput.storedEncryptedByTheSystem }]
      : []),
    { id: 'ask', label: texts.passwordInput.askedFor },
    { id: 'environment', label: texts.passwordInput.fromAnEnvironmentVariable },
    { id: 'command', label: texts.passwordInput.printedByACommand },
    { id: 'none', label: texts.passwordInput.none },
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
        label={texts.passwordInput.whereFrom(field.label)}
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
            kept ? texts.passwordInput.emptyKeepsTheOneThat : texts.passwordInput.onlyThisComputerSWindow,
            kept ? '•••••••• (stored)' : '',
          )}
          {kept && (
            <IconButton
              icon="trash"
              label={texts.passwordInput.forgetTheStored(field.label)}
              onPress={() => onChange({ choice: 'none', typed: '', kept: false })}
            />
          )}
        </div>
      )}
      {choice === 'ask' && (
        <div className="password-asked">
          {typedField(
            remember ? texts.passwordInput.saveKeepsItInMemory : texts.passwordInput.forTestsFromThisForm,
            '',
          )}
          <Checkbox
            label={texts.passwordInput.rememberUntilDynoQuits}
            checked={remember}
            onChange={(next) => onChange({ remember: next })}
          />
        </div>
      )}
      {choice === 'command' && (
        <>
          <TextField
            label={texts.passwordInput.commandThatPrints(field.label)}
            help={texts.passwordInput.theProgramThenOneArgument}
            problem={problem}
            multiline
            placeholder={texts.passwordInput.passShowDbStaging}
            value={command}
            onChange={(text) => onChange({ command: text })}
          />
          <NumberField
            label={texts.passwordInput.validForMinutes}
            help={texts.passwordInput.ofATokenItIs}
            placeholder={texts.passwordInput.asTheCommandSays}
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
          label={texts.passwordInput.environmentVariable}
          help={texts.passwordInput.readWhenARunOr}
          problem={problem}
          value={variable}
          onChange={(text) => onChange({ variable: text.replaceAll(/[^A-Za-z0-9_]/g, '') })}
        />
      )}
    </div>
  );
};

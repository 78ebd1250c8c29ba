import { settingTopic } from '../../help/help-store.ts';
import { FieldInput, type FieldProps } from './field-input.tsx';
import { Helped } from './helped.tsx';

/** The input of a setting or option, with its help. An empty input removes the key from the file. */
export const SettingInput = (props: FieldProps) => (
  <Helped about={props.field.title} help={settingTopic(props.field.name)}>
    <FieldInput {...props} />
  </Helped>
);

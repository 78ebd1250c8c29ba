import type { ReactNode } from 'react';
import { settingTopic } from '../../help/help-store.ts';
import { asFormText, firstSentence } from '../form-text.ts';
import { FieldInput, type FieldProps } from './field-input.tsx';
import { Helped } from './helped.tsx';

/**
 * The input of a setting or option, with the first sentence of its help; the help topic has all of it. An empty input
 * removes the key from the file.
 */
export const SettingInput = ({ beside, ...props }: FieldProps & { readonly beside?: ReactNode }) => (
  <Helped about={props.field.title} help={settingTopic(props.field.name)} beside={beside}>
    <FieldInput help={asFormText(firstSentence(props.field.description), {})} {...props} />
  </Helped>
);

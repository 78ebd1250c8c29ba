import { at, type Raw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { KeyInput } from '../form/key-input.tsx';

const kept = (raw: Raw) => (at(raw, ['equal', 'keepRows']) === true ? { keepRows: true } : undefined);

/** The number of draws for which answers are compared; 0 stands for `equal: false`, too. */
export const DrawsField = ({ raw }: { readonly raw: Raw }) => (
  <KeyInput
    raw={raw}
    path={['equal', 'draws']}
    required={false}
    value={at(raw, ['equal']) === false ? 0 : at(raw, ['equal', 'draws'])}
    onChange={(draws) =>
      edit(['equal'], draws === undefined ? kept(raw) : draws === 0 ? false : { draws, ...kept(raw) })
    }
  />
);

import { type ComponentProps, useState } from 'react';
import { appInfo } from '../../state/app-info.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PickStatements } from './pick-statements.tsx';
import type { OfferedServer } from './server-choice.tsx';
import { SqlText } from './sql-text.tsx';

interface Props extends ComponentProps<typeof SqlText> {
  /** The server whose statements can be picked. Undefined: none is chosen. */
  readonly server: OfferedServer | undefined;
}

/** A step with the user's SQL, to which statements that a server has counted can be added. */
export const PickableSql = ({ server, value, onChange, ...text }: Props) => {
  const engines = useStore(appInfo)?.engines;
  const [isPicking, setPicking] = useState(false);
  const counting = engines?.find(({ id }) => id === server?.engine);
  return (
    <SqlText
      {...text}
      value={value}
      onChange={onChange}
      buttons={
        <Button kind="quiet" isDisabled={server === undefined || isPicking} onPress={() => setPicking(true)}>
          Pick from the server…
        </Button>
      }
    >
      {isPicking && server && (
        <PickStatements
          key={server.target}
          target={server.target}
          label={server.label}
          source={counting?.keptStatements ?? null}
          reason={counting?.unsupportedReasons.keptStatements ?? ''}
          onAdd={(texts) => onChange([value.trim(), ...texts.map((one) => `${one};`)].join('\n').trim())}
          onClose={() => setPicking(false)}
        />
      )}
    </SqlText>
  );
};

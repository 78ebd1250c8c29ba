import { type ReactNode, useMemo, useState } from 'react';
import { allTables } from '#model/dataset/tables.ts';
import { appInfo } from '../../state/app-info.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { draft } from '../draft/draft-store.ts';
import { isRecord, type KeyPath } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { StatementEditor } from './statement-editor.tsx';
import { variantsOf, withVariant } from './text-variants.ts';
import { readTables, tries } from './try-store.ts';

const none: readonly never[] = [];

/** The text that is shown first: the default, or the first text for an engine where there is no default. */
const firstKey = (text: unknown): string =>
  isRecord(text) && text.default === undefined ? (Object.keys(text)[0] ?? 'default') : 'default';

interface Props {
  /** The path of the text in the file. */
  readonly path: KeyPath;
  /** The name of the statement or check. */
  readonly name: string;
  /** One text for all targets, or texts by engine or target. */
  readonly text: unknown;
  /** Called when the user leaves an editor. */
  readonly onLeave?: (() => void) | undefined;
  /** More buttons below the editor. */
  readonly actions?: ReactNode;
}

/** The editors of a statement's texts: the default, and each text for an engine or target. */
export const TextFields = ({ path, name, text, onLeave, actions }: Props) => {
  const engines = useStore(appInfo)?.engines ?? none;
  const plan = useStore(draft)?.checked?.plan;
  const targets = plan?.targets ?? none;
  const experiment = plan?.experiment;
  const places = useMemo(
    () => (experiment ? Object.keys({ ...allTables(experiment), ...experiment.setup }) : none),
    [experiment],
  );
  const { tables, busy } = useStore(tries);
  const [key, setKey] = useState(() => firstKey(text));
  const variants = variantsOf(text, targets, engines);
  const shown = variants.find((one) => one.key === key) ?? variants[0]!;
  const target = targets.find((one) => one.name === shown.key || one.engine === shown.engine?.id);
  return (
    <>
      {variants.length > 1 && (
        <div className="row statement-tools">
          <Segmented
            label={`Text of ${name} for`}
            choices={variants.map((one) => ({
              id: one.key,
              label: one.text === '' ? `${one.label} (${variants[0]?.text ? 'same as All' : 'none'})` : one.label,
            }))}
            value={shown.key}
            onChange={setKey}
          />
        </div>
      )}
      <StatementEditor
        key={`${name} ${shown.key}`}
        label={`Text of ${name}, ${shown.label}`}
        text={shown.text}
        language={shown.engine?.statements}
        tables={target ? (tables[target.name] ?? none) : none}
        places={places}
        onLeave={onLeave}
        onChange={(next) => edit(path, withVariant(text, shown.key, next))}
      />
      <div className="row statement-actions">
        {actions}
        {target && shown.engine?.statements?.language === 'sql' && (
          <Button kind="quiet" isDisabled={busy !== null} onPress={() => void readTables(target.name)}>
            {tables[target.name]
              ? `${tables[target.name]!.length} tables of ${target.name} known`
              : `Read tables of ${target.name} for completion`}
          </Button>
        )}
      </div>
    </>
  );
};

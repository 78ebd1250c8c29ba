import { Button, IconButton } from '../../ui/controls/button.tsx';
import { at, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { type Change, edit } from '../form/edit.ts';
import { openedLevel, shownSection } from '../outline/shown-section.ts';

/**
 * The change of the file that adds a variant of the value at a path: a further level of the factor that changes the
 * place, or a new factor with a level that leaves the place as it is. `title`: the name of a new factor. Returned with
 * the names of the factor and of the new level.
 */
export function addedVariant(
  raw: Raw,
  title: string,
  path: KeyPath,
  value: unknown,
): Change & { readonly factor: string; readonly level: string } {
  const factors = recordAt(raw, ['factors']);
  const own = Object.keys(factors).find((factor) =>
    Object.values(recordAt(factors, [factor])).some((level) => at(level, path) !== undefined),
  );
  const levels = own === undefined ? {} : recordAt(factors, [own]);
  const level = firstFree((n) => `variant ${n}`, levels);
  const change = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  if (own !== undefined) return { path: ['factors', own, level], value: change, factor: own, level };
  // A factor cannot be called `target`.
  const name = firstFree((n) => (n === 1 ? title : `${title} ${n}`), { ...factors, target: null });
  return { path: ['factors', name], value: { unchanged: {}, [level]: change }, factor: name, level };
}

function firstFree(nameOf: (n: number) => string, taken: Raw): string {
  for (let n = 1; ; n++) if (!Object.hasOwn(taken, nameOf(n))) return nameOf(n);
}

interface Props {
  readonly raw: Raw;
  /** The name of a new factor. */
  readonly title: string;
  /** The path of the value that varies. */
  readonly path: KeyPath;
  /** The value of the new variant, which the user then edits. */
  readonly value: unknown;
  /** The name of the button for screen readers, which contains its text. */
  readonly label: string;
  /** Default: “Add a variant”. */
  readonly text?: string;
  readonly isDisabled?: boolean;
  /** True beside a field or in the row of a table: the button has an icon alone. */
  readonly isIcon?: boolean;
}

interface VaryButtonProps {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

/** The icon beside a field, or in the row of a table, that adds a variant. */
export const VaryButton = (props: VaryButtonProps) => (
  <span className="vary-button">
    <IconButton icon="plus" {...props} />
  </span>
);

interface Entry {
  readonly name: string;
  readonly path: KeyPath;
  readonly spec: Raw;
}

/** The button in the row of a named entry that adds a variant of it. Undefined in a level. */
export const entryVariant = (raw: Raw, path: KeyPath, titleOf: (name: string) => string) =>
  path[0] === 'factors'
    ? undefined
    : ({ name, path: own, spec }: Entry) => (
        <AddVariant
          raw={raw}
          title={titleOf(name)}
          path={own}
          value={spec}
          label={`Add a variant of ${titleOf(name)}`}
          isIcon
        />
      );

/** Adds a variant of a value as a level of a factor, shows the level, and puts the focus on its value. */
export const AddVariant = (props: Props) => {
  const { raw, title, path, value, label, text = 'Add a variant', isDisabled = false, isIcon = false } = props;
  const onPress = () => {
    const { path: place, value: added, factor, level } = addedVariant(raw, title, path, value);
    edit(place, added);
    openedLevel.set({ factor, level, place: path });
    shownSection.set('factors');
  };
  return isIcon ? (
    <VaryButton label={label} isDisabled={isDisabled} onPress={onPress} />
  ) : (
    <Button kind="quiet" icon="plus" aria-label={label} isDisabled={isDisabled} onPress={onPress}>
      {text}
    </Button>
  );
};

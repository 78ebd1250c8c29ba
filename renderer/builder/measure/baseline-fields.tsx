import { Select } from '../../ui/controls/fields.tsx';
import { asText, isRecord, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { settingFieldOf } from '../form/option-fields.ts';
import { useEngines } from '../form/use-engines.ts';

const defaultValue = '';

/**
 * A select for each part of the baseline, with its levels. Parts and levels that are no longer in the file are shown,
 * too.
 */
export const BaselineFields = ({ raw }: { readonly raw: Raw }) => {
  const baseline = recordAt(raw, ['baseline']);
  const engines = useEngines(raw).all;
  const titleOf = (part: string): string => {
    const title = settingFieldOf(part, engines)?.title ?? part;
    // The title of a setting continues the label, so it is in lower case. The title of an option begins with the name
    // of its engine.
    return part.includes('.') ? title : title.toLowerCase();
  };
  const parts: Readonly<Record<string, readonly unknown[]>> = {
    target: listAt(raw, ['targets']).map((target) => (isRecord(target) ? target.name : target)),
    ...Object.fromEntries(
      Object.entries(recordAt(raw, ['factors'])).map(([factor, levels]) => [
        factor,
        isRecord(levels) ? Object.keys(levels) : Array.isArray(levels) ? (levels as readonly unknown[]) : [],
      ]),
    ),
  };
  const gone = Object.keys(baseline).filter((part) => !Object.hasOwn(parts, part));
  const set = (part: string, value: unknown) => {
    const left = { ...baseline, [part]: value };
    if (Object.values(left).every((one) => one === undefined)) edit(['baseline'], undefined);
    else edit(['baseline', part], value);
  };
  return [...Object.keys(parts), ...gone].map((part) => {
    const known = parts[part] ?? [];
    const chosen = baseline[part];
    const missing = chosen !== undefined && !known.some((level) => String(level) === String(chosen));
    const title = part === 'target' ? 'target' : titleOf(part);
    return (
      <Helped key={part} about={`Baseline: ${title}`} help="baseline">
        <Select
          label={`Baseline: ${title}`}
          help={
            missing
              ? `This ${part === 'target' ? 'target' : 'level'} is no longer in the file.`
              : part === 'target'
                ? 'Ratios are relative to this target.'
                : undefined
          }
          value={chosen === undefined ? defaultValue : asText(chosen)}
          choices={[
            { id: defaultValue, label: 'Default' },
            ...[...known, ...(missing ? [chosen] : [])].map((level) => ({ id: asText(level), label: asText(level) })),
          ]}
          onChange={(id) =>
            set(
              part,
              known.find((level) => asText(level) === id),
            )
          }
        />
      </Helped>
    );
  });
};

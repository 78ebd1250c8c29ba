import { IconButton } from '../../ui/button.tsx';
import { edit } from './edit.ts';
import { isRecord, type Raw } from './form-model.ts';
import { settingField } from './setting-fields.ts';

const bundleText = (bundle: unknown): string =>
  isRecord(bundle)
    ? Object.entries(bundle)
        .map(([key, value]) => `${settingField(key)?.title.toLowerCase() ?? key} ${String(value)}`)
        .join(', ')
    : '';

/** Named levels, each a bundle of settings; they are written in the YAML and can be taken out here. */
export const BundleLevels = ({ factor, bundles }: { readonly factor: string; readonly bundles: Raw }) => (
  <ul className="bundle-list" aria-label={`Levels of ${factor}`}>
    {Object.entries(bundles).map(([level, bundle]) => (
      <li key={level} className="bundle">
        <span>{level}</span>
        <span className="faint">{bundleText(bundle)}</span>
        <IconButton
          icon="close"
          label={`Remove level ${level}`}
          isDisabled={Object.keys(bundles).length === 1}
          onPress={() => edit(['factors', factor, level], undefined)}
        />
      </li>
    ))}
  </ul>
);

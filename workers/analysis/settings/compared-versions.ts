import { isContender } from '#planning/rates/contenders.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { countsAlways } from './compared-settings.ts';
import { comparedServerSettings } from './server-settings.ts';

/** Targets of one engine whose servers reported different versions. */
interface ComparedVersions {
  /** The product with its version, as each server reported it, by target: 'PostgreSQL 18.4'. */
  readonly products: ReadonlyMap<string, string>;
  /** True: all are the same product, so that the version is what differs. */
  readonly isOneProduct: boolean;
  /** The servers’ settings that differ beside the version and change the work itself. */
  readonly settings: readonly string[];
}

/** The versions that a run compares. Null: its targets have several engines, one version, or unknown versions. */
export function comparedVersions(model: RunModel): ComparedVersions | null {
  const targets = model.targets.filter(({ name }) => isContender(model, name));
  const prints = targets.flatMap(({ name, fingerprint }) => (fingerprint ? [{ name, fingerprint }] : []));
  const versions = new Set(prints.map(({ fingerprint }) => fingerprint.version));
  const engines = new Set(targets.map(({ engine }) => engine));
  if (prints.length < targets.length || engines.size !== 1 || versions.size < 2) return null;
  const names = prints.map(({ fingerprint: { product, version } }) => product.replace(version, '').trim());
  return {
    products: new Map(prints.map(({ name, fingerprint }) => [name, fingerprint.product])),
    isOneProduct: new Set(names).size === 1,
    settings: comparedServerSettings({ ...model, targets })
      .filter(({ differs, matters }) => differs && countsAlways(matters))
      .map(({ setting }) => setting),
  };
}

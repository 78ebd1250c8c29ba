import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedVersions } from '#analysis/settings/compared-versions.ts';
import { formatCount } from '#model/format/format.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import type { Fact } from './fact.ts';

const list = lazyList('en', 'conjunction');
const mostSettings = 3;

/** The name of a target, with its version if the run compares versions: "postgres@18 (PostgreSQL 18.4)". */
export function targetText(model: RunModel, target: string): string {
  const product = comparedVersions(model)?.products.get(target);
  return product === undefined ? target : `${target} (${product})`;
}

/** The difference between targets of one engine: their version, with settings. Null: they have the same version. */
export function versionFact(model: RunModel): Fact | null {
  const versions = comparedVersions(model);
  if (versions === null) return null;
  const { isOneProduct, settings } = versions;
  const shown = settings.slice(0, mostSettings);
  const more = settings.length - shown.length;
  const others = list.format([...shown, ...(more > 0 ? [`${formatCount(more)} more`] : [])]);
  return [
    'What differs',
    `the ${isOneProduct ? 'version' : 'product'}${others === '' ? '' : `, and settings of the servers: ${others}`}`,
    'The versions are those that the servers reported. “Settings compared” lists the settings of each server.',
  ];
}

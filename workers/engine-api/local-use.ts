import { isMapping } from '#model/is-mapping.ts';
import type { ConfigField, ConfigParser, LocalUse, LocalUseKind } from './config.ts';

/** A use of this machine that a target's values make. */
export interface FoundUse {
  /** The field; in a map with the name of the entry: uriOptions.tlsCRLFile. */
  readonly field: string;
  /** See {@link LocalUseKind}. */
  readonly kind: LocalUseKind;
  /** The value as it was given; for a connection string, the part that makes the use. */
  readonly value: string;
  /** See {@link LocalUse}. */
  readonly does: string;
}

/** A variable that is filled in later. */
const reference = /\$\{env:/;
/** A variable in the name of a connection string's parameter, which may become the name of any field. */
const referenceInName = /(?:^|[?&;])[^=&;?]*\$\{env:[^=&;?]*=/;

/**
 * The uses of this machine that the values of a target make, its connection string included. The values may be those of
 * an experiment file, whose variables are not filled in, or what the engine's parser made of them. A value that is not
 * known yet, or has no form that the field knows, makes every use that its field can make.
 */
export function localUsesOf(
  fields: readonly ConfigField[],
  { connectionStrings }: Pick<ConfigParser, 'connectionStrings'>,
  values: Readonly<Record<string, unknown>>,
): readonly FoundUse[] {
  const { url } = values;
  const given = [values];
  const found: FoundUse[] = [];
  if (typeof url === 'string' && url !== '') {
    const unknown = () => found.push({ field: 'url', kind: 'code', value: url, does: whatUnknownDoes });
    try {
      const reading = connectionStrings?.read(url) ?? null;
      if (reading) given.push(reading.values);
      if (reference.test(url) && (reading === null || referenceInName.test(url))) unknown();
    } catch {
      // The engine refuses this text, unless a variable changes it.
      if (reference.test(url)) unknown();
    }
  }
  for (const one of given)
    for (const { name, kind, localUse } of fields)
      if (localUse !== 'plain' && Object.hasOwn(one, name))
        for (const use of localUse) found.push(...usesIn(name, kind === 'map', one[name], use));
  const seen = new Set<string>();
  return found.filter((use) => {
    const key = JSON.stringify(use);
    return seen.size < seen.add(key).size;
  });
}

const whatUnknownDoes =
  'is known when its variables are filled in, and may use files, libraries or logins of this machine';

function usesIn(field: string, isMap: boolean, value: unknown, use: LocalUse): readonly FoundUse[] {
  const { kind, does } = use;
  if (isMap && isMapping(value))
    return Object.entries(value).flatMap(([name, one]) =>
      matches(use.names, name) ? usesIn(`${field}.${name}`, false, one, use) : [],
    );
  if (value === null || value === undefined || value === '' || value === false) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return typeof value === 'object' || matches(use.values, text) ? [{ field, kind, value: text, does }] : [];
}

const matches = (pattern: string | undefined, text: string): boolean =>
  pattern === undefined || reference.test(text) || new RegExp(pattern, 'i').test(text);

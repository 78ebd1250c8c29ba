import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { asText, isRecord, type Raw } from '../draft/raw-experiment.ts';

/** A text of a statement: the default, or the text for an engine or target. */
interface TextVariant {
  /** `default`, the id of an engine, or the name of a target. */
  readonly key: string;
  readonly label: string;
  readonly text: string;
  /** The engine that determines the dialect. For the default it is the engine of the first target. */
  readonly engine: EngineDescriptor | null;
}

/** The variants of a statement's text: the default, one for each engine of the targets, and any others in the file. */
export function variantsOf(
  text: unknown,
  targets: readonly { readonly name: string; readonly engine: string }[],
  engines: readonly EngineDescriptor[],
): readonly TextVariant[] {
  const own: Raw = isRecord(text) ? text : { default: text };
  const used = [...new Set(targets.map(({ engine }) => engine))];
  const engineOf = (key: string) => {
    const id = targets.find(({ name }) => name === key)?.engine ?? key;
    return engines.find((one) => one.id === id) ?? null;
  };
  const [first] = used;
  const keys = [...new Set(['default', ...(used.length > 1 ? used : []), ...Object.keys(own)])];
  return keys.map((key) => ({
    key,
    label: key === 'default' ? 'All' : (engineOf(key)?.label ?? key),
    text: asText(own[key]),
    engine: key === 'default' ? engineOf(first ?? '') : engineOf(key),
  }));
}

/**
 * Returns `text` with one variant changed. An empty variant is removed. If only the default is left, the value becomes
 * a plain text.
 */
export function withVariant(text: unknown, key: string, next: string): unknown {
  const own: Raw = isRecord(text) ? text : text === undefined ? {} : { default: text };
  const { [key]: _, ...rest } = own;
  const all: Raw = next === '' && key !== 'default' ? rest : { ...own, [key]: next };
  const keys = Object.keys(all);
  return keys.length === 1 && keys[0] === 'default' ? all.default : all;
}

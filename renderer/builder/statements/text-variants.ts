import type { EngineDescriptor } from '#contract/engine.ts';
import { isRecord, type Raw, textOf } from '../draft/raw-experiment.ts';

/** A text of a statement: of all targets that have none of their own, or of one engine (or target). */
export interface TextVariant {
  /** `default`, or an engine's id, or a target's name. */
  readonly key: string;
  readonly label: string;
  readonly text: string;
  /** Its dialect: of the engine, or of the first target's. */
  readonly engine: EngineDescriptor | null;
}

/** The tabs of a statement: the text for all, one for each engine among the targets, and whatever else the file has. */
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
    text: textOf(own[key]),
    engine: key === 'default' ? engineOf(first ?? '') : engineOf(key),
  }));
}

/** The value of `text` with one variant changed; an empty one goes, and a lone default is a plain text. */
export function withVariant(text: unknown, key: string, next: string): unknown {
  const own: Raw = isRecord(text) ? text : text === undefined ? {} : { default: text };
  const { [key]: _, ...rest } = own;
  const all: Raw = next === '' && key !== 'default' ? rest : { ...own, [key]: next };
  const keys = Object.keys(all);
  return keys.length === 1 && keys[0] === 'default' ? all.default : all;
}

import { type NumberRules, unitOfKey } from '../text/read-number.ts';

interface Part {
  readonly type?: string | undefined;
  readonly pipe?: readonly Part[];
  readonly requirement?: unknown;
}

const partsOf = (part: Part): readonly Part[] => (part.pipe ? part.pipe.flatMap(partsOf) : [part]);

/** The bounds, whole numbers and unit that an input takes of a schema of numbers, which its key names. */
export function numberRules(name: string, schema: Part, unit = unitOfKey(name)): NumberRules {
  const parts = partsOf(schema);
  const bound = (type: string): number | undefined => {
    const found = parts.find((part) => part.type === type)?.requirement;
    return typeof found === 'number' ? found : undefined;
  };
  const [min, max] = [bound('min_value'), bound('max_value')];
  const whole = parts.some(({ type }) => type === 'integer' || type === 'safe_integer');
  return { whole, min, max, unit: unit ?? (min === 0 && max === 1 && !whole ? 'share' : undefined) };
}

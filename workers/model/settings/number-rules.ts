import { factsOf } from '../file-key.ts';
import { partsOf, type Shape } from '../shape.ts';
import { type NumberRules, unitOfKey } from '../text/read-number.ts';

/**
 * The bounds, integer rule and unit of an input, from a schema of numbers: the unit in the key's record, or in the
 * key's name. A share that the form shows in per cent has bounds in per cent.
 */
export function numberRules(name: string, shape: Shape): NumberRules {
  const parts = partsOf(shape);
  const unit = factsOf(shape)?.unit ?? unitOfKey(name);
  const scale = unit === '%' ? 100 : 1;
  const bound = (type: string): number | undefined => {
    const found = parts.find((part) => part.type === type)?.requirement;
    return typeof found === 'number' ? found * scale : undefined;
  };
  const [min, max] = [bound('min_value') ?? bound('gt_value'), bound('max_value')];
  const whole = parts.some(({ type }) => type === 'integer' || type === 'safe_integer');
  return { whole, min, max, unit: unit ?? (min === 0 && max === 1 && !whole ? 'share' : undefined) };
}

import { formatCount } from '../format/format.ts';
import { formatPause } from './load-model.ts';
import type { ScenarioSpec } from './statements.ts';
import { isPause } from './steps.ts';

type Scenarios = Readonly<Record<string, ScenarioSpec>>;

/** "buyer 850 (thinks 1,000 to 2,000 ms) : clerk 200": the scenarios with their shares of the users, and pauses. */
export const scenariosText = (scenarios: Scenarios): string =>
  Object.entries(scenarios)
    .map(([name, { users, steps }]) => {
      const pauses = steps.flatMap((step) => (isPause(step) ? [formatPause(step)] : []));
      return `${name} ${formatCount(users)}${pauses.length > 0 ? ` (thinks ${pauses.join(', ')})` : ''}`;
    })
    .join(' : ');

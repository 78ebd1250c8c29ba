import type { ServerToChange } from '#protocol/server-change.ts';
import { unconfirmedChanges } from '#workspace/connections/server-changes.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import { parameterStates } from '../run/server-parameters.ts';
import { type Access, controlOf, leave } from './own-control.ts';

/**
 * The servers whose parameters an experiment would change and whose connections' names were not typed, with their
 * values now. Nothing is changed. Throws the errors of connecting and reading.
 */
export async function serversToChange(
  { plan, targets }: Pick<TrustedExperiment, 'plan' | 'targets'>,
  typed: readonly string[],
  access: Access,
): Promise<readonly ServerToChange[]> {
  const found: ServerToChange[] = [];
  for (const change of unconfirmedChanges(plan, typed)) {
    const target = targets.find(({ name }) => name === change.connection)!;
    const { control } = controlOf(target, access);
    try {
      const { address } = await control.connect(access.signal);
      const names = change.parameters.map(({ name }) => name);
      const states = await parameterStates(control, names, false, access.signal);
      const now = Object.fromEntries(names.map((name) => [name, states[name]?.value ?? null]));
      found.push({ ...change, address, now });
    } finally {
      await leave(control);
    }
  }
  return found;
}

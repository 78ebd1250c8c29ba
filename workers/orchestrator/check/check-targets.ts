import { catalog } from '#engines/catalog.ts';
import { kindOf, missingTargets } from '#managed-servers/servers/kinds.ts';
import type { Home } from '#platform/paths.ts';
import { builtInTarget } from '#workspace/trust/gate.ts';
import { type DescribedTarget, targetRecord } from '../run/target-record.ts';
import { createControl } from '../worker/control.ts';

/**
 * Connects to each built-in target that is installed here, one after the other, for `doctor` and `calibrate`. Other
 * versions of a product (ServerKind.byVersion) are left out.
 */
export async function checkBuiltInTargets(
  home: Home,
  signal: AbortSignal,
  onActivity: (text: string) => void,
): Promise<readonly DescribedTarget[]> {
  const found: DescribedTarget[] = [];
  const missing = await missingTargets();
  const present = catalog.flatMap(({ descriptor }) =>
    descriptor.builtIn.flatMap(({ target }) =>
      Object.hasOwn(missing, target) || kindOf(target)?.byVersion ? [] : [target],
    ),
  );
  for (const name of present) {
    await using control = createControl({
      target: builtInTarget(name),
      home,
      variables: {},
      tag: 'dyno-doctor',
      onActivity,
      onProgress: () => {},
    });
    found.push(await targetRecord(control, signal));
  }
  return found;
}

import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { appInfo } from '../../state/app-info.ts';
import { connections } from '../../state/connections.ts';
import { useStore } from '../../state/store.ts';
import type { Raw } from '../draft/raw-experiment.ts';
import { enginesIn } from './option-fields.ts';

const none: readonly EngineDescriptor[] = [];

/** All engines, and the engines of the experiment's targets. */
export function useEngines(raw: Raw): {
  readonly all: readonly EngineDescriptor[];
  readonly used: readonly EngineDescriptor[];
} {
  const all = useStore(appInfo)?.engines ?? none;
  const known = useStore(connections)?.connections ?? [];
  return { all, used: enginesIn(raw, all, known) };
}

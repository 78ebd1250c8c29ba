import type { EngineDescriptor } from '#engine-api/engine.ts';
import { connections } from '../../connections/connections-store.ts';
import { appInfo } from '../../shell/app-info.ts';
import { useStore } from '../../store.ts';
import type { Raw } from './form-model.ts';
import { enginesIn } from './option-fields.ts';

const none: readonly EngineDescriptor[] = [];

/** All engines, and those among the experiment's targets. */
export function useEngines(raw: Raw): {
  readonly all: readonly EngineDescriptor[];
  readonly used: readonly EngineDescriptor[];
} {
  const all = useStore(appInfo)?.engines ?? none;
  const known = useStore(connections)?.connections ?? [];
  return { all, used: enginesIn(raw, all, known) };
}

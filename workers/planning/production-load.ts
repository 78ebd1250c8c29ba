import type { Experiment } from '#experiment/schema/experiment.ts';
import { formatCount } from '#model/format/format.ts';
import type { limitsOf } from '#model/production.ts';
import type { Settings } from '#model/settings/settings.ts';
import { type LoadModel, loadModel } from '#model/statements/load-model.ts';

/** Why a load is more than a production connection allows, as a sentence; null: it is not. */
export function whyTooMuch(
  { maxConnections, maxPerSecond }: ReturnType<typeof limitsOf>,
  { measure }: Experiment,
  settings: Settings,
): string | null {
  const { connections } = settings;
  if (connections > maxConnections)
    return `${formatCount(connections)} connections are more than the ${formatCount(maxConnections)} that its production connection allows.`;
  const peak = Math.max(1, ...(measure.stages ?? []).flatMap(({ from, to }) => [from ?? 0, to]));
  const most = mostPerSecond(loadModel(settings));
  if (most === null)
    return `Nothing limits how many calls a second a closed load without think time makes, and its production connection allows ${formatCount(maxPerSecond)}: set load: open with arrivalsPerSecond, or a think time.`;
  return most * peak > maxPerSecond
    ? `Up to ${formatCount(most * peak)} calls a second are more than the ${formatCount(maxPerSecond)} that its production connection allows.`
    : null;
}

/** Units of work per second that a load makes at most, on average; null: as many as the server answers. */
function mostPerSecond(load: LoadModel): number | null {
  switch (load.kind) {
    case 'closed':
      return load.thinkMs > 0 ? (load.users * 1_000) / load.thinkMs : null;
    case 'open':
      return load.arrivalsPerSecond;
    case 'partlyOpen':
      return load.arrivalsPerSecond * load.unitsPerSession;
  }
}

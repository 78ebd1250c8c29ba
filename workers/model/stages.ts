import * as v from 'valibot';
import { fileKey } from './file-key.ts';
import { decimal } from './numbers.ts';

const share = decimal(0, 1_000);

/** A part of the measured phase with its own load. */
const stageSchema = v.strictObject({
  name: v.optional(
    fileKey(v.pipe(v.string(), v.minLength(1), v.maxLength(60)), {
      label: 'Name',
      help: 'The name of the stage in charts.',
      usual: 'stage 1',
    }),
  ),
  seconds: fileKey(decimal(0.1, 86_400), { label: 'Seconds', help: 'The duration of the stage.', first: 10 }),
  from: v.optional(
    fileKey(share, {
      label: 'Load from',
      unit: '%',
      help: 'The load at its beginning, as a share of arrivalsPerSecond or users. Default: as `to`.',
      usual: 'as to',
    }),
  ),
  to: v.optional(
    fileKey(share, {
      label: 'Load to',
      unit: '%',
      help: 'The load at its end, as the same share; in between it rises or falls linearly. 3: three times as much.',
    }),
    1,
  ),
  weights: v.optional(
    fileKey(v.record(v.string(), decimal(0, 1_000_000)), {
      label: 'Weights',
      help: 'The weights of statements and transactions that begin in this stage; others keep their own.',
    }),
  ),
});
type Stage = v.InferOutput<typeof stageSchema>;

/** The stages of a load, in order. */
export const stagesSchema = fileKey(v.pipe(v.array(stageSchema), v.minLength(1), v.maxLength(50)), {
  label: 'Stages of the load',
  help: 'Ramps, steps and spikes of the load, one after another; their seconds add up to the measured phase.',
});

/** Total length of the stages, s. */
export const secondsOf = (stages: readonly Stage[]): number => stages.reduce((sum, { seconds }) => sum + seconds, 0);

/** True if the weights of the mix differ between stages. */
export const hasStagedWeights = ({ stages = [] }: { readonly stages?: readonly Stage[] | undefined }): boolean =>
  stages.some(({ weights }) => weights !== undefined);

/** A stage with its place in the measured phase; `from` and `to` are shares of the load (1 is 100 %). */
export interface PlacedStage {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly from: number;
  readonly to: number;
}

/** Computes each stage's place in the measured phase, ms. */
export function placeStages(stages: readonly Stage[]): readonly PlacedStage[] {
  let fromMs = 0;
  return stages.map(({ name, seconds, from, to }, i) => {
    const placed = { name: name ?? `stage ${i + 1}`, fromMs, toMs: fromMs + seconds * 1_000, from: from ?? to, to };
    fromMs = placed.toMs;
    return placed;
  });
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** "ramp 10 s 0 % to 100 %, spike 2 s at 300 %". */
export const stagesText = (stages: readonly Stage[]): string =>
  placeStages(stages)
    .map(({ name, fromMs, toMs, from, to }) => {
      const level = from === to ? `at ${percent(to)}` : `${percent(from)} to ${percent(to)}`;
      return `${name} ${(toMs - fromMs) / 1_000} s ${level}`;
    })
    .join(', ');

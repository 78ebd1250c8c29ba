import { advisableTargets } from '#analysis/advise/advisable-targets.ts';
import { DynoError } from '#model/error.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { Variant } from '#protocol/plan.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';

/** The variant and the target of the advice. Throws 'badInput' where none runs statements. */
export function chosen({ plan }: TrustedExperiment, wanted: string | undefined) {
  const name = wanted ?? advisableTargets(plan)[0];
  const target = plan.targets.find((one) => one.name === name);
  if (target === undefined)
    throw new DynoError(
      'badInput',
      wanted === undefined
        ? 'The experiment has no statements of its own to advise on.'
        : `The experiment has no target “${wanted}”.`,
      { hint: 'Advice is about custom statements: operation: statement, with `statements` and their tables.' },
    );
  const here = new Set(plan.trials.flatMap((one) => (one.target === target.name ? [one.variant] : [])));
  const variants = plan.variants.filter(({ id, settings }) => here.has(id) && settings.operation === 'statement');
  const usual = baselineOf({ plan, targets: [] }, 'levels').variant;
  const variant: Variant | undefined = variants.find(({ id }) => id === usual) ?? variants[0];
  if (variant === undefined)
    throw new DynoError('badInput', `No variant runs statements on ${target.name}.`, {
      hint: 'Advice is about custom statements (operation: statement).',
    });
  return { variant, target };
}

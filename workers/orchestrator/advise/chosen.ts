import { DynoError } from '#model/error.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { Variant } from '#protocol/plan.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';

/** The variant and the target of the advice. Throws 'badInput' where none runs statements. */
export function chosen({ plan }: TrustedExperiment, wanted: string | undefined) {
  const target = wanted === undefined ? firstTarget(plan) : plan.targets.find(({ name }) => name === wanted);
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

function firstTarget({ targets, trials, variants }: TrustedExperiment['plan']) {
  const statements = new Set(variants.filter(({ settings }) => settings.operation === 'statement').map(({ id }) => id));
  return targets.find(({ name }) => trials.some((one) => one.target === name && statements.has(one.variant)));
}

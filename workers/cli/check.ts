import { estimateSeconds } from '#contract/estimate-seconds.ts';
import { formatMs } from '../analysis/format.ts';
import { openConnections } from '../host/connections.ts';
import { exitCodes } from '../host/exit-codes.ts';
import { diagnosticLine, planExperiment } from '../host/plan-experiment.ts';
import type { Command } from './command.ts';
import { experimentText } from './experiment-text.ts';

export const checkCommand: Command = {
  name: 'check',
  arguments: 'FILE',
  summary: 'Reads an experiment, says what is wrong with it, and lists what a run would do.',
  options: { set: { type: 'string', multiple: true }, json: { type: 'boolean' } },
  about: { set: 'Changes a value first: --set dataset.rows=20000 (repeatable).', json: 'Everything as JSON.' },
  takes: [1, 1],
  async run({ home, positionals: [file = ''], values, print, note }) {
    const { plan, diagnostics } = planExperiment(
      experimentText(home, file, values.set),
      openConnections(home).list().connections,
    );
    const seconds = plan && estimateSeconds(plan);
    if (values.json) print(JSON.stringify({ diagnostics, plan, estimateSeconds: seconds }, null, 2));
    else {
      for (const one of diagnostics) note(`${file}:${diagnosticLine(one)} [${one.severity}]`);
      if (plan) {
        print(`${plan.experiment.name}: ${plan.experiment.question}`);
        print(
          `${plan.variants.length} variants × ${plan.targets.length} targets × ${plan.measure.repeats} repeats = ${plan.trials.length} trials, about ${formatMs((seconds ?? 0) * 1_000)}`,
        );
        for (const variant of plan.variants) print(`  ${variant.id}`);
        if (plan.skipped.length > 0) print(`${plan.skipped.length} cells are skipped:`);
        for (const cell of plan.skipped) print(`  ${cell.target} · ${cell.variant}: ${cell.reason}`);
      }
    }
    return plan ? exitCodes.ok : exitCodes.badExperiment;
  },
};

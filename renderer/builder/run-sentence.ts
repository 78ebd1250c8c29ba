import type { EngineDescriptor } from '#contract/engine.ts';
import type { Checked } from '#contract/ipc.ts';
import { formatWait } from '../format-wait.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What pressing Run will do, in a sentence or two. */
export function runSentence(checked: Checked, engines: readonly EngineDescriptor[]): string {
  const { plan, estimateSeconds, diagnostics } = checked;
  if (!plan) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    return `Cannot run yet: ${errors === 1 ? 'one error' : `${errors} errors`} in the file.`;
  }
  const count = plan.trials.length;
  const trials = `${count} ${count === 1 ? 'trial' : 'trials'} on ${list.format(plan.targets.map((t) => t.name))}`;
  const time = estimateSeconds === null ? '' : `, about ${formatWait(estimateSeconds)}`;
  const own = plan.targets.flatMap((target) => engines.find((one) => one.embedded?.target === target.name) ?? []);
  const servers = own.filter((engine) => !engine.inProcess && !engine.reference).map((engine) => engine.label);
  const starts = servers.length > 0 ? ` Dyno starts ${list.format(servers)} by itself` : '';
  const install =
    own.length === plan.targets.length ? (starts ? '; nothing to install.' : ' Nothing to install.') : starts && '.';
  return `${trials}${time}.${starts}${install}`;
}

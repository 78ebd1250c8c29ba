import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { formatTrialCount, trialCount } from '#planning/trial-count.ts';
import type { Estimate } from '#protocol/estimate.ts';
import type { AppInfo, Checked } from '#protocol/ipc.ts';
import { appInfo } from '../state/app-info.ts';
import { useStore } from '../state/store.ts';
import { formatWait } from '../ui/text/format-wait.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** One or two sentences that say what Run will do; empty while nothing is checked. */
export function useRunText(checked: Checked | null): string {
  const info = useStore(appInfo);
  return checked === null ? '' : runText(checked, info?.engines ?? [], info?.missing ?? {});
}

function runText(checked: Checked, engines: readonly EngineDescriptor[], missing: AppInfo['missing']): string {
  const { plan, estimateSeconds, diagnostics } = checked;
  if (!plan) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    return `Cannot run yet: ${errors === 1 ? 'one error' : `${errors} errors`} in the file.`;
  }
  const about = plan.measure.search ? 'About ' : '';
  const trials = `${about}${formatTrialCount(trialCount(plan))} on ${list.format(plan.targets.map((t) => t.name))}`;
  const time = estimateSeconds === null ? '' : `, about ${span(estimateSeconds)}`;
  const known = engines.flatMap((engine) => engine.builtIn.map((builtIn) => ({ ...builtIn, engine })));
  const own = plan.targets.flatMap(({ name }) => known.find(({ target }) => target === name) ?? []);
  const absent = plan.targets.map(({ name }) => name).filter((name) => missing[name] !== undefined);
  const servers = own
    .filter(({ engine, target }) => !engine.inProcess && !engine.reference && !absent.includes(target))
    // The label contains the product, and its place in brackets.
    .map(({ label }) => label.replace(/ \(.*\)$/, ''));
  const starts = servers.length > 0 ? ` Dyno starts ${list.format(servers)} by itself` : '';
  const whole = own.length === plan.targets.length && absent.length === 0;
  const install = whole ? (starts ? '; nothing to install.' : ' Nothing to install.') : starts && '.';
  const lack =
    absent.length === 0
      ? ''
      : ` Missing on this machine: ${list.format(absent)}; trials on ${absent.length === 1 ? 'it' : 'them'} fail, all others run. See Targets for the installation.`;
  return `${trials}${time}.${starts}${install}${lack}`;
}

function span({ least, most, likely }: Estimate): string {
  const [from, to] = [formatWait(least), formatWait(most)];
  if (likely !== null) return `${formatWait(likely)} as before, at most ${to}`;
  return from === to ? to : `${from} to ${to}`;
}

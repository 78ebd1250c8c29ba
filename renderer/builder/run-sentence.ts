import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { formatTrialCount, trialCount } from '#planning/trial-count.ts';
import type { Estimate } from '#protocol/estimate.ts';
import type { AppInfo, Checked } from '#protocol/ipc.ts';
import { formatWait } from '../ui/text/format-wait.ts';
import { texts } from './text.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** One or two sentences that say what Run will do. */
export function runSentence(
  checked: Checked,
  engines: readonly EngineDescriptor[],
  missing: AppInfo['missing'],
): string {
  const { plan, estimateSeconds, diagnostics } = checked;
  if (!plan) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    return texts.runSentence.cannotRunYetInThe(
      errors === 1 ? texts.runSentence.oneError : texts.runSentence.errors(errors),
    );
  }
  const about = plan.measure.search ? 'About ' : '';
  const trials = texts.runSentence.on(
    about,
    formatTrialCount(trialCount(plan)),
    list.format(plan.targets.map((t) => t.name)),
  );
  const time = estimateSeconds === null ? '' : texts.runSentence.about(span(estimateSeconds));
  const known = engines.flatMap((engine) => engine.builtIn.map((builtIn) => ({ ...builtIn, engine })));
  const own = plan.targets.flatMap(({ name }) => known.find(({ target }) => target === name) ?? []);
  const absent = plan.targets.map(({ name }) => name).filter((name) => missing[name] !== undefined);
  const servers = own
    .filter(({ engine, target }) => !engine.inProcess && !engine.reference && !absent.includes(target))
    // The label names the product that answers, which may be an emulator, and its place in brackets.
    .map(({ label }) => label.replace(/ \(.*\)$/, ''));
  const starts = servers.length > 0 ? texts.runSentence.dynoStartsByItself(list.format(servers)) : '';
  const whole = own.length === plan.targets.length && absent.length === 0;
  const install = whole
    ? starts
      ? texts.runSentence.andNothingToInstall
      : texts.runSentence.nothingToInstall
    : starts && '.';
  const lack = absent.length === 0 ? '' : texts.runSentence.missingOnThisMachineTrials(list.format(absent));
  return `${trials}${time}.${starts}${install}${lack}`;
}

function span({ least, most }: Estimate): string {
  const [from, to] = [formatWait(least), formatWait(most)];
  return from === to ? to : texts.runSentence.to(from, to);
}

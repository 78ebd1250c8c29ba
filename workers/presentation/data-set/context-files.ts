import { findingsOf } from '#analysis/findings/find-findings.ts';
import type { NamedRule } from '#analysis/findings/registry.ts';
import type { Outcome } from '#analysis/findings/shared/finding.ts';
import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettingsTable } from '#analysis/settings/compared-settings.ts';
import type { ComparedSetting } from '#analysis/settings/server-settings.ts';
import { variantText } from '#planning/variant-of.ts';
import { type DataFile, dataFile, number, text, yesNo } from './data-file.ts';

interface FindingEntry {
  readonly rule: NamedRule;
  readonly outcome: Outcome;
}

/** All checks of the run with their outcomes. */
export const findingFile = (run: RunModel): DataFile =>
  dataFile<FindingEntry>(
    'findings',
    'One row for each outcome of each check: findings, and checks without one.',
    [
      text('rule', 'The id of the check.', ({ rule }) => rule.id),
      text('title', 'The check in words.', ({ rule }) => rule.title),
      text(
        'status',
        '“shown”: a finding; “notShown”; “cannotTell”: the data for it is missing.',
        ({ outcome }) => outcome.status,
      ),
      text('confidence', '“certain”, “likely” or “possible”.', ({ outcome }) =>
        outcome.status === 'shown' ? outcome.confidence : null,
      ),
      text('variant', 'The variant. Empty: the whole run.', ({ outcome }) =>
        outcome.cell ? variantText(run.plan, outcome.cell.variant) : null,
      ),
      text('target', 'The target. Empty: the whole run.', ({ outcome }) => outcome.cell?.target),
      text('claim', 'The finding, or the reason why there is none.', ({ outcome }) =>
        outcome.status === 'shown' ? outcome.claim : outcome.why,
      ),
      number('explained_share', 'Share (0 to 1) of time or throughput that it explains.', ({ outcome }) =>
        outcome.status === 'shown' ? outcome.explains : null,
      ),
      text('evidence', 'The numbers that support it.', ({ outcome }) =>
        outcome.status === 'shown' ? outcome.evidence.map((one) => `${one.label}: ${one.text}`).join('; ') : null,
      ),
      text('advice', 'The advice.', ({ outcome }) => (outcome.status === 'shown' ? outcome.advice : null)),
    ],
    () => {
      const { shown, unshown } = findingsOf(run);
      return [
        ...shown.flatMap((one) => [one.lead, ...one.also, ...one.unshown].map((outcome) => ({ ...one, outcome }))),
        ...unshown.flatMap((one) => one.outcomes.map((outcome) => ({ ...one, outcome }))),
      ];
    },
  );

interface SettingEntry {
  readonly setting: ComparedSetting;
  readonly target: string;
  readonly value: string | null;
}

/** The settings of the targets. */
export const settingFile = (run: RunModel): DataFile =>
  dataFile<SettingEntry>(
    'settings',
    'One row for each setting of each target.',
    [
      text(
        'group',
        '“setup”: set by Dyno; otherwise the effect of a setting of the server.',
        ({ setting }) => setting.group,
      ),
      text('setting', 'The name of the setting.', ({ setting }) => setting.setting),
      text('target', 'The target.', ({ target }) => target),
      text('value', 'Its value. Empty: the target does not have the setting.', ({ value }) => value),
      yesNo(
        'differs',
        'True if targets that have the setting have different values.',
        ({ setting }) => setting.differs,
      ),
      text('matters', 'The effect in which the settings can differ.', ({ setting }) => setting.matters),
    ],
    () =>
      comparedSettingsTable(run).flatMap((setting) =>
        run.targets.map(({ name }, i) => ({ setting, target: name, value: setting.values[i] ?? null })),
      ),
  );

/** The caveats of the run. */
export const caveatFile = (run: RunModel): DataFile =>
  dataFile<Caveat>(
    'caveats',
    'One row for each reason to doubt or limit a number.',
    [
      text('severity', '“info”, “warning” or “error”.', ({ severity }) => severity),
      text('variant', 'The variant. Empty: all variants.', ({ cell }) =>
        cell?.variant === undefined ? null : variantText(run.plan, cell.variant),
      ),
      text('target', 'The target. Empty: all targets.', ({ cell }) => cell?.target),
      text('title', 'The caveat in a few words.', ({ title }) => title),
      text('text', 'The caveat in sentences.', (caveat) => caveat.text),
    ],
    () => run.caveats,
  );

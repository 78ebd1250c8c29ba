import { lazyList } from '#model/text/lazy-list.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { comparedSettings, comparedSettingsTable, countsAlways } from '../../settings/compared-settings.ts';
import type { Matters } from '../../settings/server-settings.ts';
import { number } from '../shared/evidence.ts';
import type { RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { about, type CellOutcome, cannotTell, notShown, shown } from '../shared/outcomes.ts';
import type { Picture } from '../shared/picture.ts';

const names = lazyList('en-GB', 'conjunction');

/** This value only sorts the finding after measured ones, because no run measured the effect of the difference. */
const weight: Readonly<Record<Matters, number>> = {
  durability: 0.5,
  isolation: 0.3,
  medium: 0.3,
  place: 0.2,
  transport: 0.2,
  rows: 0.2,
  foreignKeys: 0.2,
  memory: 0.1,
  other: 0,
};

/**
 * Compared targets differ in guarantees, storage or resources, so a difference in speed is also a difference of these.
 */
export const settingsDiffer: Rule = {
  title: 'Settings differ',
  looksFor: 'targets that do not do the same work',
  shownWhen: 'durability, isolation, storage medium, place, encryption, rows or foreign keys differ between targets',
  find: (facts) => [about(null, judge(facts))],
};

function judge(facts: RunFacts): CellOutcome {
  const { model } = facts;
  const { contenders, unlike, unknown } = comparedSettings(model);
  if (contenders.length < 2) return notShown('There is only one target: nothing is compared.');
  const telling = unlike.filter(({ matters }) => countsAlways(matters));
  if (telling.length === 0)
    return unknown.length > 0
      ? cannotTell(`${unknown.join(' ')} Nothing else that counts was found to differ.`)
      : notShown(
          'Durability, isolation, where rows are kept, where servers run and how they are reached were not found to differ.',
        );
  const worst = Math.max(...telling.map(({ matters }) => weight[matters]));
  return shown({
    claim: `The settings of ${names.format(contenders)} differ: ${telling.map(({ setting, words }) => `${setting} (${words})`).join('; ')}.`,
    // The servers reported the difference; its effect on speed is unknown.
    confidence: 'certain',
    explains: worst,
    evidence: [
      number('Settings that differ and count', telling.length, 'settings-compared'),
      number('Other settings that differ', unlike.length - telling.length, 'settings-compared'),
    ],
    advice:
      'Use the same settings on all targets before you call one of them faster, or name the differences beside the numbers. A faster commit may be less durable.',
    confirm: null,
    picture: pictureOf(facts),
  });
}

/** The most targets in a picture, and the most settings beside few targets and beside many. */
const [mostTargets, fewTargets] = [8, 3];
const [mostOfFew, mostOfMany] = [6, 2];

/** The relevant differing settings, with the value of each target. */
function pictureOf({ model }: RunFacts): Picture {
  const targets = model.targets.filter(({ name }) => isContender(model, name));
  const rows = comparedSettingsTable({ ...model, targets }).filter(
    ({ differs, matters }) => differs && countsAlways(matters),
  );
  const shownTargets = targets.slice(0, mostTargets).map(({ name }) => name);
  const mostSettings = shownTargets.length > fewTargets ? mostOfMany : mostOfFew;
  return {
    kind: 'words',
    title: 'Settings that differ',
    targets: shownTargets,
    rows: rows.slice(0, mostSettings).map(({ setting, values }) => ({
      label: setting,
      cells: shownTargets.map((_, i) => values[i] ?? '–'),
    })),
  };
}

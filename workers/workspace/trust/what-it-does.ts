import { findEngine } from '#engines/catalog.ts';
import { keepsUsersRows } from '#experiment/schema/equal.ts';
import { changesIn } from '#experiment/schema/levels.ts';
import { serverParametersOf } from '#experiment/schema/server.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import {
  indexTexts,
  parametersOfChanges,
  textsOfChanges,
  writtenParameters,
  writtenTexts,
} from '#experiment/statements/written-texts.ts';
import type { Connection } from '#model/connections.ts';
import { indexTextFor } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { oneLine } from '#model/text/printable.ts';
import { experimentsOf } from '#planning/variant-of.ts';
import type { ForeignWork } from '#protocol/foreign-work.ts';
import type { Plan } from '#protocol/plan.ts';
import { loadHostsOf } from '#rules/cells/load-host-rules.ts';
import { usesOfTarget, useText } from '../connections/target-uses.ts';

/** The effects of this plan beyond measuring, for the trust question. */
export function whatItDoes(plan: Plan, connections: readonly Connection[]): ForeignWork {
  const { experiment } = plan;
  const texts = textsOf(plan);
  return {
    name: oneLine(experiment.name),
    targets: experiment.targets.map((target) => targetText(target, connections)),
    loadHosts: loadHostsOf(plan),
    sessions: settingLines(plan, sessionSettingsOf),
    servers: settingLines(plan, serverParametersOf),
    tables: [
      ...new Set(
        [experiment, ...experimentsOf(plan)]
          .flatMap((one) => Object.entries(allTables(one)))
          .map(([name, { rows }]) => `${name}: ${formatCount(rows)} rows`),
      ),
    ],
    writes: texts.filter(({ writes }) => writes).map(({ name, text }) => ({ name, text })),
    reads: texts.filter(({ writes }) => !writes).map(({ name, text }) => ({ name, text })),
    keeps: keepsUsersRows(experiment.equal)
      ? ['the first rows of answers that differ, and the values of their parameters']
      : [],
    files: [
      ...new Set([
        ...[...writtenParameters(experiment), ...parametersOfChanges(experiment)].flatMap(({ spec }) =>
          spec.type === 'csv' ? [spec.file] : [],
        ),
        ...[experiment, ...experimentsOf(plan)].flatMap((one) =>
          Object.values(allTables(one)).flatMap(({ from }) => from?.file ?? []),
        ),
      ]),
    ],
    variables: variablesIn(experiment.targets),
    uses: experiment.targets.flatMap(usesIn),
  };
}

/** The settings that a section has for the plan's engines, each once, those of sizes and levels included. */
const settingLines = (
  plan: Plan,
  settingsOf: (experiment: object, engine: string) => Readonly<Record<string, string>>,
): readonly string[] => [
  ...new Set(
    [plan.experiment, ...changesIn(plan.experiment).map(({ change }) => change)].flatMap((one) =>
      plan.targets.flatMap(({ engine }) =>
        Object.entries(settingsOf(one, engine)).map(
          ([name, value]) => `${findEngine(engine)?.descriptor.label ?? engine}: ${name} = ${value}`,
        ),
      ),
    ),
  ),
];

/** Describes the effects of connecting to a target of an experiment, without a run. */
export const whatConnectingDoes = (name: string, target: Plan['experiment']['targets'][number]): ForeignWork => ({
  ...{
    name: oneLine(name),
    targets: [targetText(target, [])],
    variables: variablesIn(target),
    uses: usesIn(target),
  },
  ...{ loadHosts: [], sessions: [], servers: [], tables: [], writes: [], reads: [], keeps: [], files: [] },
});

/**
 * Uses of this machine by a target that the file writes out. The uses of a saved connection are its owner's decision.
 */
const usesIn = (target: Plan['experiment']['targets'][number]): readonly string[] =>
  typeof target === 'string' ? [] : usesOfTarget(target.engine, target).map((use) => `${target.name}: ${useText(use)}`);

/** The environment variables that a value of a file names. */
const variablesIn = (value: unknown): readonly string[] => [
  ...new Set(Array.from(JSON.stringify(value).matchAll(/\$\{env:(\w+)\}/g), ([, name = '']) => name)),
];

function targetText(target: Plan['experiment']['targets'][number], connections: readonly Connection[]): string {
  if (typeof target !== 'string') {
    const { name, engine, ...rest } = target;
    const keys = Object.entries(rest).map(
      ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    return `${name}: ${[findEngine(engine)?.descriptor.label ?? engine, ...keys].join(', ')}`;
  }
  const connection = connections.find(({ name }) => name === target);
  return connection === undefined
    ? `${target}: built in, on this machine`
    : `${target}: your connection, ${findEngine(connection.engine)?.descriptor.label ?? connection.engine}`;
}

interface OneText {
  readonly name: string;
  readonly text: string;
  readonly writes: boolean;
}

/** Each text once; it writes if it writes for any target. Texts of the file about itself do not count. */
function textsOf(plan: Plan): readonly OneText[] {
  const found = new Map<string, OneText>();
  for (const { kind, name: written, text } of [...writtenTexts(plan.experiment), ...textsOfChanges(plan.experiment)]) {
    const name =
      kind === 'query'
        ? `values of the parameter ${written}`
        : kind === 'setup' || kind === 'teardown'
          ? `${kind} of ${written}`
          : written;
    for (const { name: target, engine } of plan.targets) {
      const language = findEngine(engine)?.descriptor.statements;
      const chosen = textFor(text, { target, engine });
      if (chosen === null || !language) continue;
      const key = JSON.stringify([name, chosen]);
      const writes = !readsOnly(chosen, language) || found.get(key)?.writes === true;
      found.set(key, { name, text: chosen, writes });
    }
  }
  // Functions in them are called for every row that changes.
  for (const { table, text } of [plan.experiment, ...experimentsOf(plan)].flatMap(indexTexts))
    for (const { engine } of plan.targets) {
      const chosen = indexTextFor(text, engine);
      const name = `an index of ${table}`;
      if (chosen !== null) found.set(JSON.stringify([name, chosen]), { name, text: chosen, writes: true });
    }
  return [...found.values()];
}

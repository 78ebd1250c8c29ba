import type { RunModel } from '#analysis/run-model/run-model.ts';
import { countsRows } from '#analysis/run-model/select-cells.ts';
import { type Consumed, type ConsumedAmount, type Consumption, consumptions } from '#analysis/server/consumption.ts';
import { dash, formatBytesTo, formatInterval, formatMsTo, formatStored } from '#model/format/format.ts';
import { keysOf } from '#model/keys-of.ts';
import { variantText } from '#planning/variant-of.ts';
import { cellColumns, cellTexts, type NotedTable, numbers } from '../shared/panel-table.ts';

const titles: Readonly<Record<Consumed, string>> = {
  log: 'Log',
  read: 'Read from files',
  written: 'Written to files',
  processor: 'Processor time',
};

const format: Readonly<Record<Consumed, (value: number, digits: number) => string>> = {
  log: formatBytesTo,
  read: formatBytesTo,
  written: formatBytesTo,
  processor: formatMsTo,
};

const noteOf = (model: RunModel): string =>
  `The consumption of the servers during the measured phases for each ${countsRows(model) ? 'row' : 'call'}: means over the repeats, with 95 % intervals. The counters are the servers’ own, and include other sessions and background work. Writes of data files may follow a trial and are missing then. “(system)” marks processor time of the servers that Dyno has started, as the operating system counts it, idle ones included. Stored per row is the size of tables and indexes at the end.`;

function amountText(part: Consumed, amount: ConsumedAmount): string {
  if (amount.value === null) return dash;
  return `${formatInterval(amount, format[part])}${amount.by === 'system' ? ' (system)' : ''}`;
}

/** "Log, Processor time: The server has no counter of it." */
function reasonsText({ each }: Consumption): string {
  const unknown = keysOf(titles).flatMap((part) => {
    const amount = each[part];
    return amount.value === null ? [{ part, why: amount.why }] : [];
  });
  return [...Map.groupBy(unknown, ({ why }) => why)]
    .map(([why, own]) => `${own.map(({ part }) => titles[part]).join(', ')}: ${why}`)
    .join(' ');
}

/**
 * The reasons of all missing numbers, each once: "Not reported by sqlite: Log: The server has no counter of it." The
 * variants are named where the cells of a target have different reasons.
 */
function missingText(model: RunModel, uses: readonly Consumption[]): string {
  const reasons = [...Map.groupBy(uses, ({ target }) => target)].flatMap(([target, own]) => {
    const byText = [...Map.groupBy(own, reasonsText)];
    return byText.map(([text, cells]) => {
      const variants = cells.map(({ variant }) => variantText(model.plan, variant)).join(', ');
      return { text, who: byText.length === 1 ? target : `${target} (${variants})` };
    });
  });
  return [...Map.groupBy(reasons, ({ text }) => text)]
    .filter(([text]) => text !== '')
    .map(([text, own]) => ` Not reported by ${own.map(({ who }) => who).join(', ')}: ${text}`)
    .join('');
}

/** The servers' consumption for each operation, cell by cell. Empty if no server tells any. */
export function consumptionTable(model: RunModel): NotedTable {
  const uses = consumptions(model);
  return {
    note: `${noteOf(model)}${missingText(model, uses)}`,
    columns: [...cellColumns, ...numbers('Stored per row', ...keysOf(titles).map((part) => titles[part]))],
    rows: uses.map((use) => ({
      cells: [
        ...cellTexts(model, use),
        formatStored(use.stored),
        ...keysOf(titles).map((part) => amountText(part, use.each[part])),
      ],
    })),
  };
}

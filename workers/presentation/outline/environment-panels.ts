import { missingMetrics } from '#analysis/server/missing-metrics.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { waitHistogram, waitsWithHistogram } from '../charts/wait-histogram.ts';
import { retriesNote, retriesTable } from '../tables/calls/retries-table.ts';
import { calibrationTable } from '../tables/client/calibration-table.ts';
import { hostTable } from '../tables/client/host-table.ts';
import { loadHostTable } from '../tables/client/load-host-table.ts';
import { machineByCell, machineTable } from '../tables/client/machine-table.ts';
import { networkTable } from '../tables/client/network-table.ts';
import { answerTable } from '../tables/comparison/answer-table.ts';
import { checkTable } from '../tables/comparison/check-table.ts';
import { indexCostNote, indexCostTable } from '../tables/comparison/index-cost-table.ts';
import { pageNote, pageTable } from '../tables/comparison/page-table.ts';
import { serverParameterTable, sessionTable } from '../tables/comparison/session-table.ts';
import { settingsNote, settingsTable, sharedSettings } from '../tables/comparison/settings-table.ts';
import { storedNote, storedTable } from '../tables/comparison/stored-table.ts';
import { consumptionTable } from '../tables/server/consumption-table.ts';
import { serverNote, serverTimeTable } from '../tables/server/server-time-table.ts';
import { waitCsv, waitTable } from '../tables/server/wait-table.ts';
import { meaningsTable } from '../tables/shared/meanings-table.ts';
import { environmentFacts } from '../text/environment-facts.ts';
import { unmeasuredTexts } from '../text/host-text.ts';
import { planFacts, trialLines } from '../text/plan-facts.ts';
import { repeatCommand, repeatText } from '../text/repeat-text.ts';
import { always, blocks, charts, hasRows, inTab, notedTable, onceBlocks, table } from './entry-parts.ts';
import type { Block } from './panel.ts';

/** The panels about the machines, servers and settings of the run. */
export const environmentPanels = [
  ...inTab('environment', [
    {
      id: 'settings-compared',
      title: 'Settings compared',
      when: always,
      draw: ({ model }) =>
        blocks(
          settingsNote,
          { kind: 'table', table: settingsTable(model) },
          ...sharedSettings(model).map(({ targets, title, facts }): Block => {
            const [only, ...others] = targets;
            return {
              ...{ kind: 'group', title, blocks: [{ kind: 'facts', facts }] },
              ...(only !== undefined && others.length === 0 && { target: only }),
            };
          }),
        ),
    },
    {
      id: 'network',
      title: 'Network between client and server',
      when: (model) => networkTable(model).rows.length > 0,
      draw: ({ model }) => blocks(networkTable(model).note, ...onceBlocks(networkTable(model), 'Network')),
    },
    {
      id: 'sessions',
      title: 'Settings of sessions',
      when: hasRows(sessionTable),
      draw: notedTable(sessionTable),
    },
    {
      id: 'server-parameters',
      title: 'Parameters of servers',
      when: hasRows(serverParameterTable),
      draw: notedTable(serverParameterTable),
    },
    { id: 'answers', title: 'Equal answers', when: hasRows(answerTable), draw: notedTable(answerTable) },
    { id: 'checks', title: 'Checks', when: hasRows(checkTable), draw: notedTable(checkTable) },
    {
      id: 'stored',
      title: 'Rows in the tables',
      when: hasRows(storedTable),
      draw: ({ model }) => blocks(storedNote, ...onceBlocks(storedTable(model), 'Rows in the tables')),
    },
    {
      id: 'indexes',
      title: 'Indexes',
      when: hasRows(indexCostTable),
      draw: ({ model }) => blocks(indexCostNote, ...onceBlocks(indexCostTable(model), 'Indexes')),
    },
    {
      id: 'pages',
      title: 'Pages',
      when: hasRows(pageTable),
      draw: ({ model }) => blocks(pageNote, ...onceBlocks(pageTable(model), 'Pages')),
    },
    {
      id: 'consumption',
      title: 'Consumption per operation',
      when: hasRows(consumptionTable),
      draw: ({ model }) => {
        const { note, ...built } = consumptionTable(model);
        return blocks(note, ...onceBlocks(built, 'Consumption per operation'));
      },
    },
    {
      id: 'server-time-table',
      title: 'Where the servers’ time went, in numbers',
      when: (model) => serverSummaries(model).length > 0,
      draw: ({ model }) =>
        blocks(
          serverNote,
          ...onceBlocks(serverTimeTable(model), 'Servers’ time'),
          ...missingMetrics(model).map(
            ({ target, sentences }) =>
              ({ kind: 'text', text: `Not reported by ${target}: ${sentences.join(' ')}` }) as const,
          ),
        ),
    },
    {
      id: 'wait-histogram-*',
      title: 'Distribution of waits',
      when: (model) => waitsWithHistogram(model).length > 0,
      draw: ({ model, theme, widthPx }) =>
        charts(...waitsWithHistogram(model).map((wait) => waitHistogram(model, wait, theme, { widthPx }))),
    },
    {
      id: 'waits',
      title: 'Waits of the servers',
      when: hasRows(waitTable),
      draw: ({ model }) => {
        const { note, ...built } = waitTable(model);
        return { kind: 'blocks', note, blocks: onceBlocks(built, 'Waits of the servers'), csv: waitCsv(model) };
      },
    },
    {
      id: 'retries',
      title: 'Retry overhead',
      when: hasRows(retriesTable),
      draw: table(retriesTable, retriesNote),
    },
    {
      id: 'calibration',
      title: 'Calibration',
      when: hasRows(calibrationTable),
      draw: notedTable(calibrationTable),
    },
    {
      id: 'load-hosts',
      title: 'Load hosts',
      when: hasRows(loadHostTable),
      draw: ({ model }) => blocks(loadHostTable(model).note, ...onceBlocks(loadHostTable(model), 'Load hosts')),
    },
    {
      id: 'machine',
      title: 'Machine during the trials',
      when: hasRows(machineTable),
      draw: ({ model }) =>
        blocks(machineByCell(model).note, ...onceBlocks(machineByCell(model), 'Cells'), {
          kind: 'fold',
          summary: 'Trial by trial',
          blocks: onceBlocks(machineTable(model), 'Trials'),
          isOpenInReport: false,
        }),
    },
    {
      id: 'hosts',
      title: 'Hosts of servers and clients',
      when: hasRows(hostTable),
      draw: ({ model }) => {
        const { note, ...built } = hostTable(model);
        const reasons = unmeasuredTexts(model).map((text) => ({ kind: 'text', text }) as const);
        return blocks(note, ...onceBlocks(built, 'Hosts'), ...reasons);
      },
    },
    {
      id: 'meaning',
      title: 'What was compared',
      when: hasRows(meaningsTable),
      draw: table(meaningsTable),
    },
    {
      id: 'environment',
      title: 'Environment',
      when: always,
      draw: ({ model }) => blocks('', { kind: 'facts', facts: environmentFacts(model) }),
    },
  ]),
  ...inTab('definition', [
    {
      id: 'plan',
      title: 'Plan',
      when: always,
      draw: ({ model }) =>
        blocks(
          '',
          { kind: 'facts', facts: planFacts(model) },
          {
            kind: 'fold',
            summary: 'Order of the trials',
            blocks: [{ kind: 'code', text: trialLines(model) }],
            isOpenInReport: false,
          },
        ),
    },
    {
      id: 'experiment',
      title: 'Experiment file',
      when: ({ yaml }) => yaml !== '',
      draw: ({ model }) =>
        blocks(
          repeatText(model),
          { kind: 'code', text: repeatCommand(model), label: 'Command' },
          { kind: 'code', text: model.yaml, label: 'YAML' },
        ),
    },
  ]),
] as const;

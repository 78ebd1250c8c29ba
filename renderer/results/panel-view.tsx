import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import type { DrawnPanel } from '#presentation/outline/draw-panel.ts';
import type { PanelInput } from '#presentation/outline/panel.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import type { Cell } from '#protocol/plan.ts';
import { Chart } from '../charts/chart.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { panelTopic } from '../help/help-store.ts';
import { attempt, request } from '../state/bridge.ts';
import { Button } from '../ui/controls/button.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { AnswerCard } from './answer-card.tsx';
import { CaveatList, ErrorList } from './caveat-list.tsx';
import { FindingsView } from './findings-view.tsx';
import { PanelBlocks } from './panel-blocks.tsx';
import { PicturePanel } from './picture/picture-panel.tsx';

interface Props {
  readonly panel: DrawnPanel;
  readonly input: PanelInput;
  readonly onFollow: (link: PanelLink) => void;
  /** Opens the trials of a cell. */
  readonly onInspect: (cell: Cell) => void;
}

/** A panel of the outline in the window. Its id is the anchor of links. */
export const PanelView = ({ panel: { id, title, content }, input, onFollow, onInspect }: Props) => {
  switch (content.kind) {
    case 'charts':
      return content.charts.map((chart) => <Chart key={chart.id} chart={chart} />);
    case 'answer':
      return <AnswerCard id={id} model={input.run} {...content} />;
    case 'errors':
      return <ErrorList id={id} model={input.run} caveats={content.caveats} />;
    case 'caveats':
      return <CaveatList id={id} model={input.run} caveats={content.caveats} />;
    case 'comparison':
      return (
        <PicturePanel id={id} model={input.run} shown={input.model} widthPx={input.widthPx} onInspect={onInspect} />
      );
    case 'findings':
      return <FindingsView id={id} model={input.run} findings={content.findings} onFollow={onFollow} />;
    case 'blocks': {
      const { note, blocks, csv } = content;
      const save = () =>
        attempt('Could not save the CSV', () =>
          request('files:save', { name: id, format: 'csv', data: toCsv(csv ?? { columns: [], rows: [] }) }),
        );
      return (
        <Panel
          label={title}
          anchor={id}
          title={title}
          about={note === '' ? undefined : note}
          action={
            <span className="row">
              <HelpButton about={title} topic={panelTopic(title)} />
              {csv && <Button onPress={() => void save()}>Save as CSV…</Button>}
            </span>
          }
        >
          <PanelBlocks model={input.model} blocks={blocks} onInspect={onInspect} />
        </Panel>
      );
    }
  }
};

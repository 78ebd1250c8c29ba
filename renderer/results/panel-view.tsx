import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import type { DrawnPanel } from '#presentation/outline/draw-panel.ts';
import type { PanelInput } from '#presentation/outline/panel.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { Chart } from '../charts/chart.tsx';
import { attempt, request } from '../state/bridge.ts';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';
import { CaveatList } from './caveat-list.tsx';
import { PanelBlocks } from './panel-blocks.tsx';
import { RatioTable } from './ratio-table.tsx';
import { WhyView } from './why-view.tsx';

interface Props {
  readonly panel: DrawnPanel;
  readonly input: PanelInput;
  readonly onFollow: (link: PanelLink) => void;
}

/** A panel of the outline in the window. Links lead to its id. */
export const PanelView = ({ panel: { id, title, content }, input, onFollow }: Props) => {
  switch (content.kind) {
    case 'charts':
      return content.charts.map((chart) => <Chart key={chart.id} chart={chart} />);
    case 'verdicts':
      return <Verdicts id={id} sentences={content.sentences} published={content.published} />;
    case 'caveats':
      return <CaveatList id={id} model={input.run} caveats={content.caveats} />;
    case 'comparison':
      return <RatioTable id={id} model={input.run} shown={input.model} />;
    case 'findings':
      return <WhyView id={id} model={input.run} findings={content.findings} onFollow={onFollow} />;
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
          action={csv && <Button onPress={() => void save()}>Save as CSV…</Button>}
        >
          <PanelBlocks model={input.model} blocks={blocks} />
        </Panel>
      );
    }
  }
};

interface VerdictsProps {
  readonly id: string;
  readonly sentences: readonly string[];
  /** Published figures beside those of the run. */
  readonly published: readonly string[];
}

/** What the run shows, in sentences. */
const Verdicts = ({ id, sentences, published }: VerdictsProps) => (
  <section aria-label="Verdicts" data-chart={id} tabIndex={-1}>
    <h2 className="visually-hidden">Verdicts</h2>
    <ul className="verdicts">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    {published.map((sentence) => (
      <p key={sentence} className="published-sentence muted">
        {sentence}
      </p>
    ))}
  </section>
);

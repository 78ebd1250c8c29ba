import type { Baseline } from '../../workers/analysis/baseline.ts';
import { headlines } from '../../workers/analysis/headlines.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { publishedSentences } from '../../workers/analysis/published-words.ts';
import { rateUnit } from '../../workers/analysis/select-cells.ts';

interface Props {
  readonly model: RunModel;
  readonly baseline: Baseline;
}

/** What the run shows, in sentences. */
export const Verdicts = ({ model, baseline }: Props) => (
  <section aria-label="Verdicts">
    <h2 className="visually-hidden">Verdicts</h2>
    <ul className="verdicts">
      {headlines(model, baseline, rateUnit(model)).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    {publishedSentences(model).map((sentence) => (
      <p key={sentence} className="published-sentence muted">
        {sentence}
      </p>
    ))}
  </section>
);

import type { Baseline } from '#analysis/baseline.ts';
import { rateUnit } from '#analysis/charts/select.ts';
import { headlines } from '#analysis/headlines.ts';
import type { RunModel } from '#analysis/model.ts';
import { publishedSentences } from '#analysis/published-words.ts';

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

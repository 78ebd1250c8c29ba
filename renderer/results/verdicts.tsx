interface Props {
  readonly id: string;
  readonly sentences: readonly string[];
  /** Published figures beside those of the run. */
  readonly published: readonly string[];
}

/** What the run shows, in sentences. */
export const Verdicts = ({ id, sentences, published }: Props) => (
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

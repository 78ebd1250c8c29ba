/** A part of a whole. */
interface StackPart {
  readonly label: string;
  /** 0…1. */
  readonly share: number;
  readonly text: string;
  readonly fill: string;
}

/** Thinner parts could not be seen. */
const leastShare = 0.005;

/** The parts of a whole as one bar, each named below with its share. */
export const StackBar = ({ label, parts }: { readonly label: string; readonly parts: readonly StackPart[] }) => {
  const shown = parts.filter(({ share }) => share >= leastShare);
  return (
    <figure className="stack-bar" aria-label={label}>
      <div className="stack-track" aria-hidden="true">
        {shown.map((part) => (
          <span key={part.label} style={{ flexGrow: part.share, background: part.fill }} />
        ))}
      </div>
      <figcaption>
        {shown.map((part) => (
          <span key={part.label} className="legend">
            <span className="swatch" style={{ background: part.fill }} aria-hidden="true" /> {part.label} {part.text}
          </span>
        ))}
      </figcaption>
    </figure>
  );
};

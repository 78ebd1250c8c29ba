import type { ReactNode } from 'react';

interface CertaintyProps {
  /** Null: nothing is said about the certainty. */
  readonly text: string | null;
  readonly isCertain: boolean;
  /** A button that would make the answer more certain. */
  readonly children?: ReactNode;
}

/** The certainty of an answer. Its icon is half full if there are doubts. */
export const CertaintyLine = ({ text, isCertain, children }: CertaintyProps) =>
  text === null ? null : (
    <div className={`answer-certainty ${isCertain ? 'is-certain' : 'is-uncertain'}`}>
      <span>
        <span aria-hidden="true">{isCertain ? '●' : '◐'}</span> {text}
      </span>
      {children}
    </div>
  );

/** Keeps intervals in parentheses on one line. */
export const Unbroken = ({ words }: { readonly words: string }) =>
  words.split(/(\([^()–]{1,24}–[^()–]{1,24}\))/).map((part, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other identity
      <span key={i} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );

/** Sentences below an answer. */
export const AnswerDetails = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.map((line) => (
    <p key={line} className="muted">
      <Unbroken words={line} />
    </p>
  ));

interface Fact {
  readonly key: string;
  readonly name: string;
  readonly value: ReactNode;
}

/** Facts beside an answer. Nothing without facts. */
export const AnswerFacts = ({ facts }: { readonly facts: readonly Fact[] }) =>
  facts.length === 0 ? null : (
    <dl className="answer-facts">
      {facts.map(({ key, name, value }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );

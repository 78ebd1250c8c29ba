import { Select, TextField } from '../ui/controls/fields.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { asText, type Raw, recordAt } from './draft/raw-experiment.ts';
import { edit } from './form/edit.ts';
import { Helped } from './form/helped.tsx';
import { Section } from './form/section.tsx';
import { ModeCards } from './mode/mode-cards.tsx';
import { texts } from './text.ts';

const asWritten = '';

/** The size that runs. The form shows and changes the values of this size. */
const SizeChoice = ({ raw }: { readonly raw: Raw }) => {
  const sizes = recordAt(raw, ['sizes']);
  const names = Object.keys(sizes);
  if (names.length === 0) return null;
  const chosen = asText(raw.size);
  return (
    <Helped about={texts.questionSection.size} help="size">
      <Select
        label={texts.questionSection.size}
        help={asText(recordAt(sizes, [chosen]).note) || undefined}
        value={chosen}
        choices={[{ id: asWritten, label: texts.questionSection.asWritten }, ...names.map((id) => ({ id, label: id }))]}
        onChange={(id) => edit(['size'], id === asWritten ? undefined : id)}
      />
    </Helped>
  );
};

export const QuestionSection = ({ raw }: { readonly raw: Raw }) => (
  <Section
    title={texts.questionSection.question}
    help={{ document: 'guide', term: texts.questionSection.aFirstExperiment }}
  >
    <ModeCards raw={raw} />
    <div className="form-grid">
      <TextField
        label={texts.questionSection.name}
        value={asText(raw.name)}
        onChange={(text) => edit(['name'], text)}
      />
      <SizeChoice raw={raw} />
      <div className="span-all">
        <TextField
          label={texts.questionSection.whatShouldThisExperimentAnswer}
          multiline
          value={asText(raw.question)}
          onChange={(text) => edit(['question'], text)}
        />
      </div>
      {typeof raw.about === 'string' && (
        <details className="span-all">
          <summary>{texts.questionSection.whyItMattersWhatTo}</summary>
          <Markdown text={raw.about} />
        </details>
      )}
    </div>
  </Section>
);

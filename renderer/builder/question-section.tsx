import { Select, TextField } from '../ui/controls/fields.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { asText, type Raw, recordAt } from './draft/raw-experiment.ts';
import { edit } from './form/edit.ts';
import { Helped } from './form/helped.tsx';
import { Section } from './form/section.tsx';
import { ModeCards } from './mode/mode-cards.tsx';

const asWritten = '';

/** The chosen size. The form shows and changes the values of this size. */
const SizeChoice = ({ raw }: { readonly raw: Raw }) => {
  const sizes = recordAt(raw, ['sizes']);
  const names = Object.keys(sizes);
  if (names.length === 0) return null;
  const chosen = asText(raw.size);
  return (
    <Helped about="Size" help="size">
      <Select
        label="Size"
        help={asText(recordAt(sizes, [chosen]).note) || undefined}
        value={chosen}
        choices={[{ id: asWritten, label: 'As written' }, ...names.map((id) => ({ id, label: id }))]}
        onChange={(id) => edit(['size'], id === asWritten ? undefined : id)}
      />
    </Helped>
  );
};

export const QuestionSection = ({ raw }: { readonly raw: Raw }) => (
  <Section title="Question" help={{ document: 'guide', term: 'A first experiment' }}>
    <ModeCards raw={raw} />
    <div className="form-grid">
      <TextField label="Name" value={asText(raw.name)} onChange={(text) => edit(['name'], text)} />
      <SizeChoice raw={raw} />
      <div className="span-all">
        <TextField
          label="What should this experiment answer?"
          multiline
          value={asText(raw.question)}
          onChange={(text) => edit(['question'], text)}
        />
      </div>
      {typeof raw.about === 'string' && (
        <details className="span-all">
          <summary>Why the question matters, and what to look at</summary>
          <Markdown text={raw.about} />
        </details>
      )}
    </div>
  </Section>
);

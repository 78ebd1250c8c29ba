import { TextField } from '../../ui/fields.tsx';
import { AboutText } from './about-text.tsx';
import { edit } from './edit.ts';
import { type Raw, textOf } from './form-model.ts';
import { Section } from './section.tsx';

export const QuestionSection = ({ raw }: { readonly raw: Raw }) => (
  <Section title="Question">
    <div className="form-grid">
      <TextField label="Name" value={textOf(raw.name)} onChange={(text) => edit(['name'], text)} />
      <div className="span-all">
        <TextField
          label="What should this experiment answer?"
          multiline
          value={textOf(raw.question)}
          onChange={(text) => edit(['question'], text)}
        />
      </div>
      {typeof raw.about === 'string' && (
        <details className="span-all">
          <summary>Why it matters, what to look at</summary>
          <AboutText text={raw.about} />
        </details>
      )}
    </div>
  </Section>
);

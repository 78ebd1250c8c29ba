import { useState } from 'react';
import type { RunEntry } from '#protocol/ipc.ts';
import { longestTitle, mostTags, tagProblem } from '#protocol/run-annotation.ts';
import { runs } from '../state/runs.ts';
import { createStore, useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/fields.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { annotateRun } from './run-actions.ts';

/** The run whose title and tags the dialog edits; null if it is closed. */
export const annotatedRun = createStore<string | null>(null);

/** The most tags of other runs that the dialog offers. */
const mostOffered = 12;

const close = () => annotatedRun.set(null);

/** The words of a text, each once. A comma may stand between them, and a # before them. */
const tagsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .map((word) => word.replace(/^#/, ''))
      .filter((word) => word !== ''),
  ),
];

const Fields = ({ run, offered }: { readonly run: RunEntry; readonly offered: readonly string[] }) => {
  const [title, setTitle] = useState(run.title);
  const [text, setText] = useState(run.tags.join(' '));
  const tags = tagsIn(text);
  const titleProblem =
    title.trim().length > longestTitle ? `A title has at most ${longestTitle} characters.` : undefined;
  const tagsProblem =
    tags.length > mostTags
      ? `A run has at most ${mostTags} tags.`
      : tags.map((tag) => tagProblem(tag)).find((problem) => problem !== null);
  const save = () => {
    void annotateRun(run.id, { title: title.trim(), tags });
    close();
  };
  const more = offered.filter((tag) => !tags.includes(tag)).slice(0, mostOffered);
  return (
    <QuestionDialog
      title="Title and tags"
      action="Save"
      isReady={titleProblem === undefined && !tagsProblem}
      onCancel={close}
      onAnswer={save}
    >
      <p className="muted">
        The run of “{run.name}”, {formatMoment(run.startedAt)}
      </p>
      <TextField
        label="Title"
        autoFocus
        placeholder="after the upgrade"
        help="The page Runs, comparisons and commands name the run by its title."
        problem={titleProblem}
        value={title}
        onChange={setTitle}
      />
      <TextField
        label="Tags"
        placeholder="nightly v1.2"
        help="Words with spaces between them. Several runs may have the same tag."
        problem={tagsProblem ?? undefined}
        value={text}
        onChange={setText}
      />
      {more.length > 0 && (
        <div className="run-tags">
          <span className="muted">Add</span>
          {more.map((tag) => (
            <Button key={tag} kind="quiet" onPress={() => setText([...tags, tag].join(' '))}>
              #{tag}
            </Button>
          ))}
        </div>
      )}
    </QuestionDialog>
  );
};

/** Edits the title and the tags of a run. */
export const AnnotationDialog = () => {
  const id = useStore(annotatedRun);
  const entries = useStore(runs) ?? [];
  const run = entries.find((one) => one.id === id);
  if (run === undefined) return null;
  const offered = [...new Set(entries.flatMap(({ tags }) => tags))];
  return <Fields key={run.id} run={run} offered={offered} />;
};

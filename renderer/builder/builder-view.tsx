import { useMemo, useRef, useState } from 'react';
import { appInfo } from '../shell/app-info.ts';
import { modKey } from '../shell/commands.ts';
import { goTo } from '../shell/navigation.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useStore } from '../store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { runDraft, saveDraft } from './draft-actions.ts';
import { type Draft, draft, isDirty } from './draft-store.ts';
import { ExperimentForm } from './form/experiment-form.tsx';
import { readRaw, textOf } from './form/form-model.ts';
import { PlanPanel } from './plan-panel.tsx';
import { runSentence } from './run-sentence.ts';
import { redoEdit, undoEdit, YamlEditor } from './yaml-editor.tsx';

type Side = 'both' | 'form' | 'yaml';
const sides = [
  { id: 'both', label: 'Both' },
  { id: 'form', label: 'Form' },
  { id: 'yaml', label: 'YAML' },
];

const RunLine = ({ now }: { readonly now: Draft }) => {
  const engines = useStore(appInfo)?.engines ?? [];
  const checked = now.checkedText === null ? null : now.checked;
  return (
    <p className="run-line" role="status">
      {checked ? runSentence(checked, engines) : 'Checking the file…'}
    </p>
  );
};

/** The experiment's name; while the text is broken, the one it had before. */
function useLastName({ key, text }: Draft): string {
  const last = useRef({ key, name: '' });
  return useMemo(() => {
    const raw = readRaw(text);
    if (raw || last.current.key !== key) last.current = { key, name: textOf(raw?.name) };
    return last.current.name;
  }, [key, text]);
}

const Builder = ({ now }: { readonly now: Draft }) => {
  const [side, setSide] = useState<Side>('both');
  const name = useLastName(now);
  const dirty = isDirty(now);
  const runnable = now.checked !== null && now.checked.plan !== null;
  const mark = now.id === null ? 'Not saved yet' : now.text !== now.savedText ? 'Unsaved changes' : null;
  return (
    <>
      <PageHead
        title={name || 'Experiment without a name'}
        mark={
          mark ? (
            <span className="badge">{mark}</span>
          ) : (
            now.origin === 'gallery' && <span className="badge">Gallery</span>
          )
        }
        subtitle={<RunLine now={now} />}
        actions={
          <>
            <Segmented label="Show" choices={sides} value={side} onChange={(id) => setSide(id as Side)} />
            <IconButton icon="undo" label="Undo" keys={`${modKey} Z`} onPress={undoEdit} />
            <IconButton icon="redo" label="Redo" onPress={redoEdit} />
            <Button onPress={() => void saveDraft()} isDisabled={!dirty}>
              Save
            </Button>
            <Button kind="primary" icon="play" onPress={() => void runDraft()} isDisabled={!runnable}>
              Run
            </Button>
          </>
        }
      />
      <div className="builder" data-show={side}>
        <section className="builder-form" aria-label="Form">
          <ExperimentForm key={now.key} text={now.text} />
        </section>
        <div className="builder-side">
          <section className="builder-yaml" aria-label="YAML">
            <YamlEditor />
          </section>
          <PlanPanel checked={now.checked} />
        </div>
      </div>
    </>
  );
};

export const BuilderView = () => {
  const now = useStore(draft);
  return now ? (
    <Builder now={now} />
  ) : (
    <EmptyState title="No experiment is open">
      <p>Open one from the list, or start a new one there.</p>
      <Button onPress={() => goTo({ page: 'experiments' })}>Experiments</Button>
    </EmptyState>
  );
};

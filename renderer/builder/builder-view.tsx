import { useMemo, useState } from 'react';
import { appInfo } from '../state/app-info.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { modKey } from '../ui/mod-key.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { draft, type ExperimentDraft, hasChanges, isDirty } from './draft/draft-store.ts';
import { asText, type Raw, readRaw } from './draft/raw-experiment.ts';
import { ExperimentForm } from './experiment-form.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { runDraft, saveDraft, saving, starting } from './run-draft.ts';
import { runSentence } from './run-sentence.ts';
import { redoEdit, undoEdit, YamlEditor } from './yaml/yaml-editor.tsx';

type Side = 'both' | 'form' | 'yaml';
const sides = [
  { id: 'both', label: 'Both' },
  { id: 'form', label: 'Form' },
  { id: 'yaml', label: 'YAML' },
];

const RunLine = ({ now }: { readonly now: ExperimentDraft }) => {
  const info = useStore(appInfo);
  const engines = info?.engines ?? [];
  const checked = now.checkedText === null ? null : now.checked;
  return (
    <p className="run-line" role="status">
      {checked ? runSentence(checked, engines, info?.missing ?? {}) : 'Checking the file…'}
    </p>
  );
};

/** The experiment as data; while the text is not valid YAML, the data of the last valid text. */
function useRaw({ key, text }: ExperimentDraft): { readonly raw: Raw; readonly broken: boolean } {
  // Not deferred: a field that shows an older text loses what the user types meanwhile.
  const now = useMemo(() => readRaw(text), [text]);
  const [last, setLast] = useState<{ readonly key: number; readonly raw: Raw }>({ key, raw: now ?? {} });
  const raw = now ?? (last.key === key ? last.raw : {});
  if (last.key !== key || (now && last.raw !== now)) setLast({ key, raw });
  return { raw, broken: now === null };
}

const Builder = ({ now }: { readonly now: ExperimentDraft }) => {
  const [side, setSide] = useState<Side>('both');
  const { raw, broken } = useRaw(now);
  const name = asText(raw.name);
  const isSaving = useStore(saving);
  const isStarting = useStore(starting);
  const dirty = isDirty(now);
  const runnable = now.checked !== null && now.checked.plan !== null;
  const mark = now.id === null ? 'Not saved yet' : hasChanges(now) ? 'Unsaved changes' : null;
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
            <Button onPress={() => void saveDraft()} isDisabled={!dirty || isSaving}>
              Save
            </Button>
            <Button kind="primary" icon="play" onPress={() => void runDraft()} isDisabled={!runnable || isStarting}>
              Run
            </Button>
          </>
        }
      />
      <div className="builder" data-show={side}>
        <section className="builder-form" aria-label="Form">
          <ExperimentForm key={now.key} raw={raw} broken={broken} />
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

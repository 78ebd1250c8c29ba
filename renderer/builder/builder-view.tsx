import { useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { advisableTargets } from '#analysis/advise/advisable-targets.ts';
import { goTo } from '../state/navigation.ts';
import { useHasRuns } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { Hint } from '../ui/controls/tooltip.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { modKey } from '../ui/text/mod-key.ts';
import { draft, type ExperimentDraft, hasChanges, isDirty } from './draft/draft-store.ts';
import { asText, type Raw, readRaw } from './draft/raw-experiment.ts';
import { ExperimentForm } from './experiment-form.tsx';
import { toggleYaml, yamlShown } from './outline/outline-store.ts';
import { PlanPanel } from './plan-panel.tsx';
import { adviseOnDraft, runDraft, saveDraft, saving, starting } from './run-draft.ts';
import { useRunText } from './run-sentence.ts';
import { redoEdit, undoEdit, YamlEditor } from './yaml/yaml-editor.tsx';

const RunLine = ({ now }: { readonly now: ExperimentDraft }) => {
  const runText = useRunText(now.checkedText === null ? null : now.checked);
  return (
    <p className="run-line" role="status">
      {runText || 'Checking the file…'}
    </p>
  );
};

const YamlToggle = () => (
  <Hint text={`Show the file beside the form  ${modKey} Shift Y`}>
    <ToggleButton className="button" isSelected={useStore(yamlShown)} onChange={toggleYaml}>
      YAML
    </ToggleButton>
  </Hint>
);

/** The experiment as data. If the text is not valid YAML, the data of the last valid text stays. */
function useRaw({ key, text }: ExperimentDraft): { readonly raw: Raw; readonly broken: boolean } {
  // The text is not deferred, because a field that shows an older text would lose input.
  const now = useMemo(() => readRaw(text), [text]);
  const [last, setLast] = useState<{ readonly key: number; readonly raw: Raw }>({ key, raw: now ?? {} });
  const raw = now ?? (last.key === key ? last.raw : {});
  if (last.key !== key || (now && last.raw !== now)) setLast({ key, raw });
  return { raw, broken: now === null };
}

const Builder = ({ now }: { readonly now: ExperimentDraft }) => {
  const withYaml = useStore(yamlShown);
  const { raw, broken } = useRaw(now);
  const name = asText(raw.name);
  const hasRuns = useHasRuns(name);
  const isSaving = useStore(saving);
  const isStarting = useStore(starting);
  const dirty = isDirty(now);
  const runnable = now.checked !== null && now.checked.plan !== null;
  const hasStatements = runnable && advisableTargets(now.checked!.plan!).length > 0;
  const mark = now.id === null ? 'Not saved yet' : hasChanges(now) ? 'Unsaved changes' : null;
  return (
    <>
      <PageHead
        title={name || 'Experiment without a name'}
        mark={
          mark ? (
            <span className="badge">{mark}</span>
          ) : (
            <span className="badge">{now.origin === 'gallery' ? 'Gallery' : 'Saved'}</span>
          )
        }
        subtitle={<RunLine now={now} />}
        actions={
          <>
            {hasRuns && (
              <Hint text="All runs of the experiment with this name over time">
                <Button onPress={() => goTo({ page: 'history', experiment: name })}>History</Button>
              </Hint>
            )}
            <YamlToggle />
            <IconButton icon="undo" label="Undo" keys={`${modKey} Z`} onPress={undoEdit} />
            <IconButton icon="redo" label="Redo" onPress={redoEdit} />
            <Button onPress={() => void saveDraft()} isDisabled={!dirty || isSaving}>
              Save
            </Button>
            {hasStatements && (
              <Hint text="Finds indexes, texts and settings that make the statements faster, and measures them">
                <Button onPress={adviseOnDraft}>Advise…</Button>
              </Hint>
            )}
            {/* A disabled button would lose the focus, which a cancelled question about the run gives back; a pending one
                announces an image without a name. */}
            <Button
              kind="primary"
              icon="play"
              onPress={() => void runDraft()}
              isDisabled={!runnable}
              data-waiting={isStarting || undefined}
            >
              Run
            </Button>
          </>
        }
      />
      <div className="builder" data-yaml={withYaml}>
        <ExperimentForm
          key={now.key}
          raw={raw}
          broken={broken}
          problems={now.checkedText === null ? null : (now.checked?.diagnostics ?? null)}
        />
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

/** `onNew` starts a new experiment. */
export const BuilderView = ({ onNew }: { readonly onNew: () => void }) => {
  const now = useStore(draft);
  return now ? (
    <Builder now={now} />
  ) : (
    <EmptyState title="No experiment is open">
      <p>Start a new experiment, or open one of the gallery and change it.</p>
      <Button kind="primary" icon="plus" onPress={onNew}>
        New experiment
      </Button>
      <Button onPress={() => goTo({ page: 'experiments' })}>Experiments</Button>
    </EmptyState>
  );
};

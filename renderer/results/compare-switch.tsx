import { useEffect, useState } from 'react';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import { type Baseline, baselineOf, type Compare, compareOf } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { changeFile } from '../builder/open-draft.ts';
import { attempt, request } from '../state/bridge.ts';
import { Button } from '../ui/controls/button.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { showToast } from '../ui/overlays/toast.tsx';
import { useBaseline } from './use-baseline.ts';

const choices: readonly { readonly id: Compare; readonly label: string }[] = [
  { id: 'targets', label: 'Targets' },
  { id: 'levels', label: 'Levels' },
];
/** The choice of a single cell as the baseline. It is shown only while it is chosen. */
const oneCell = { id: 'cell', label: 'One cell' } as const;

const choiceOf = (model: RunModel, baseline: Baseline): Compare | typeof oneCell.id =>
  baseline.target !== undefined && baseline.variant !== undefined ? oneCell.id : compareOf(model, baseline);

/**
 * Chooses what the answer and all ratios of the run compare. Null if the run has only one target or one variant, or if
 * it is over without a result.
 */
export const CompareSwitch = ({ model }: { readonly model: RunModel }) => {
  const [baseline, setBaseline] = useBaseline(model);
  const { targets, variants, experiment } = model.plan;
  const contenders = targets.filter(({ name }) => isContender(model, name));
  const isEmpty = model.status !== 'running' && model.cells.every(({ ok }) => ok === 0);
  if (contenders.length < 2 || variants.length < 2 || isEmpty) return null;
  const choice = choiceOf(model, baseline);
  return (
    <div className="answer-compare">
      <span className="muted">Compare</span>
      <Segmented
        label="What ratios compare"
        choices={choice === 'cell' ? [...choices, oneCell] : choices}
        value={choice}
        onChange={(next) => next !== 'cell' && setBaseline(baselineOf(model, next as Compare))}
      />
      {choice !== 'cell' && choice !== choiceOf(model, baselineOf(model)) && (
        <KeepInFile key={choice} name={experiment.name} compare={choice} />
      )}
    </div>
  );
};

/** Writes the choice to the experiment's file. Nothing is shown if the user has no file with this name, or several. */
const KeepInFile = ({ name, compare }: { readonly name: string; readonly compare: Compare }) => {
  const [file, setFile] = useState<LibraryEntry | null>(null);
  useEffect(() => {
    let isShown = true;
    void attempt('Could not list the experiments', () => request('experiments:list', null)).then((all) => {
      const own = (all ?? []).filter((one) => one.origin === 'mine' && one.name === name && one.problem === null);
      if (isShown) setFile(own.length === 1 ? own[0]! : null);
    });
    return () => {
      isShown = false;
    };
  }, [name]);
  if (file === null) return null;
  const before = compareIn(file.text);
  if (before === compare) return null;
  const keep = async () => {
    if (await writeTo(file.id, compare)) {
      setFile(null);
      showToast({
        tone: 'info',
        title: `“${name}” now compares ${compare}`,
        action: { label: 'Undo', run: () => void writeTo(file.id, before) },
      });
    }
  };
  return <Button onPress={() => void keep()}>Keep in the experiment</Button>;
};

/** The value of `compare` in a file. Undefined if the file has none. */
function compareIn(text: string): unknown {
  const { value } = readYaml(text);
  return isMapping(value) ? value.compare : undefined;
}

/**
 * Sets `compare` in the file, and in the builder if it shows the file; undefined removes it. Other changes of the file
 * stay. Returns true if the file was saved.
 */
async function writeTo(id: string, compare: unknown): Promise<boolean> {
  const change = (text: string) => setIn(readYaml(text), ['compare'], compare).text;
  const saved = await attempt('Could not save the experiment', async () => {
    const { text } = await request('experiments:read', { id });
    return request('experiments:save', { id, text: change(text) });
  });
  // The text in the builder need not be valid YAML.
  if (saved)
    await attempt('Could not change the experiment in the builder', async () => changeFile(id, saved.text, change));
  return Boolean(saved);
}

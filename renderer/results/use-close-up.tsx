import { type ReactNode, useMemo, useState } from 'react';
import { type DrawnPanel, trialsOf } from '#presentation/outline/draw-panel.ts';
import type { Panel, PanelInput } from '#presentation/outline/panel.ts';
import { Checkbox, Select } from '../ui/controls/fields.tsx';
import { type BrokenPanel, drawnOrBroken } from './drawn-or-broken.ts';

interface CloseUp {
  /** The controls. Null if there is nothing to choose. */
  readonly bar: ReactNode;
  readonly drawn: readonly (DrawnPanel | BrokenPanel)[];
}

/** The controls of panels about single trials: the variant and the repeat that they show. */
export function useCloseUp(panels: readonly Panel[], input: PanelInput): CloseUp {
  const { model, baseline } = input;
  const [chosenVariant, setVariant] = useState<string | null>(null);
  const [chosenRepeat, setRepeat] = useState(1);
  const [perProcess, setPerProcess] = useState(false);
  const { variants } = model.plan;
  const variant = variants.find(({ id }) => id === chosenVariant) ?? variants[0];
  const shown = useMemo(
    () =>
      panels.flatMap((panel) =>
        panel.trials && variant && panel.when(model, baseline)
          ? [{ panel, ...panel.trials, views: trialsOf(model, variant.id, panel.trials) }]
          : [],
      ),
    [panels, model, baseline, variant],
  );
  const oneByOne = shown.filter(({ repeats }) => repeats === 'one').flatMap(({ views }) => views);
  const repeats = [...new Set(oneByOne.map(({ trial }) => trial.repeat))].toSorted((a, b) => a - b);
  const repeat = repeats.includes(chosenRepeat) ? chosenRepeat : repeats[0];
  const hasProcesses = shown.some(({ views, hasProcesses: has }) =>
    views.some((view) => view.trial.repeat === repeat && has?.(view)),
  );
  const drawn = useMemo(
    () =>
      shown.flatMap(({ panel, repeats: which, views }) => {
        const own = which === 'one' ? views.filter(({ trial }) => trial.repeat === repeat) : views;
        return drawnOrBroken(panel, { ...input, views: own, perProcess }) ?? [];
      }),
    [shown, input, repeat, perProcess],
  );
  const bar = shown.length > 0 && variant && (variants.length > 1 || repeats.length > 1 || hasProcesses) && (
    <div className="filter-bar">
      {variants.length > 1 && (
        <Select
          label="Client and server during"
          value={variant.id}
          choices={variants.map(({ id, label }) => ({ id, label }))}
          onChange={setVariant}
        />
      )}
      {repeat !== undefined && repeats.length > 1 && (
        <Select
          label="In repeat"
          value={String(repeat)}
          choices={repeats.map((one) => ({ id: String(one), label: String(one) }))}
          onChange={(id) => setRepeat(Number(id))}
        />
      )}
      {hasProcesses && <Checkbox label="Show each client process" checked={perProcess} onChange={setPerProcess} />}
    </div>
  );
  return { bar, drawn };
}

import { useMemo, useState } from 'react';
import { type GapFile, gapFile } from '#analysis/gap/gap-file.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { many } from '#model/format/plural.ts';
import { differenceText } from '#presentation/text/gap-text.ts';
import { RunQuestion } from '../../builder/run-question.tsx';
import { useStore } from '../../state/store.ts';
import { Select } from '../../ui/controls/fields.tsx';
import { Notice } from '../../ui/display/notice.tsx';
import { gapDialog, startGap, usualGap } from './ask-gap.ts';

const close = () => gapDialog.set(null);

/** The differences that the experiment changes. */
const Differences = ({ gap }: { readonly gap: GapFile }) => (
  <>
    <p>The two variants have {many(gap.differences.length, 'difference')}:</p>
    <ul>
      {gap.differences.map((one) => (
        <li key={one.path.join('.')}>{differenceText(one)}</li>
      ))}
    </ul>
    {gap.impossible.length > 0 && (
      <Notice tone="warning" title={`${many(gap.impossible.length, 'variant')} cannot be measured`}>
        {gap.impossible.map(({ level, why }) => `“${level}”: ${why}`).join(' ')}
      </Notice>
    )}
  </>
);

const Fields = ({ model }: { readonly model: RunModel }) => {
  const { yaml, plan } = model;
  const [asked, setAsked] = useState(() => usualGap(model));
  const gap = useMemo(
    () => (asked.from === asked.to ? null : gapFile(readYaml(yaml), plan, asked)),
    [yaml, plan, asked],
  );
  const variants = plan.variants.map(({ id, label }) => ({ id, label }));
  return (
    <RunQuestion
      title="Explain the gap"
      action="Run"
      text={gap?.source?.text ?? null}
      problem={gap === null ? 'Choose two different variants.' : gap.problem}
      onCancel={close}
      onRun={(text) => void startGap(text)}
    >
      <p className="muted">
        Dyno changes the differences between two variants one at a time: each alone on top of the first variant, and
        each taken back from the second. The answer names the difference that explains the gap.
      </p>
      <Select label="From" value={asked.from} choices={variants} onChange={(from) => setAsked({ ...asked, from })} />
      <Select label="To" value={asked.to} choices={variants} onChange={(to) => setAsked({ ...asked, to })} />
      {plan.targets.length > 1 && (
        <Select
          label="Target"
          value={asked.target}
          choices={plan.targets.map(({ name }) => ({ id: name, label: name }))}
          onChange={(target) => setAsked({ ...asked, target })}
        />
      )}
      {gap !== null && gap.differences.length > 1 && <Differences gap={gap} />}
    </RunQuestion>
  );
};

/** Asks for two variants of a run, and runs the experiment that explains their gap. */
export const GapDialog = () => {
  const model = useStore(gapDialog);
  return model && <Fields key={model.runId} model={model} />;
};

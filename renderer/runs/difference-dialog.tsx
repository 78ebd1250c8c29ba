import { useEffect, useMemo, useState } from 'react';
import { RunQuestion } from '../builder/run-question.tsx';
import { appInfo, builtInHere } from '../state/app-info.ts';
import { attempt, request } from '../state/bridge.ts';
import { connections } from '../state/connections.ts';
import { runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { useCheckOf } from '../state/use-check-of.ts';
import { Select, TextField } from '../ui/controls/fields.tsx';
import {
  assignmentOf,
  keysOf,
  sizesOf,
  type TypedDifference,
  titleOfDifference,
  withDifference,
} from './difference.ts';
import { differenceDialog, startWithDifference } from './run-with-difference.ts';

const close = () => differenceDialog.set(null);

const otherKey = 'another';
const nothing: TypedDifference = { kind: 'value', key: '', name: '', value: '' };

interface Props {
  readonly text: string;
  readonly originals: readonly string[];
}

/** The fields of the chosen kind of difference. */
const DifferenceFields = ({
  text,
  sizes,
  typed,
  engines,
  setTyped,
}: {
  readonly text: string;
  readonly sizes: readonly string[];
  readonly typed: TypedDifference;
  /** The engines of the experiment's targets, with their labels. */
  readonly engines: readonly { readonly id: string; readonly label: string }[];
  readonly setTyped: (typed: TypedDifference) => void;
}) => {
  const keys = useMemo(() => keysOf(text), [text]);
  const [isOther, setOther] = useState(keys.length === 0);
  const own = useStore(connections)?.connections ?? [];
  const info = useStore(appInfo);
  const { kind, key, name, value } = typed;
  const set = (more: Partial<TypedDifference>) => setTyped({ ...typed, ...more });
  if (kind === 'size')
    return (
      <Select
        label="Size"
        value={value === '' ? null : value}
        choices={sizes.map((size) => ({ id: size, label: size }))}
        onChange={(next) => set({ value: next })}
      />
    );
  if (kind === 'target') {
    const compared = (info?.engines ?? []).filter(({ reference }) => !reference);
    const builtIn = builtInHere(compared, info?.missing ?? {});
    return (
      <Select
        label="Target"
        help="The experiment runs on its own targets and on this one."
        value={value === '' ? null : value}
        choices={[
          ...own.map((one) => ({ id: one.name, label: one.name })),
          ...builtIn.map(({ target, label }) => ({ id: target, label })),
        ]}
        onChange={(next) => set({ value: next })}
      />
    );
  }
  if (kind === 'session' || kind === 'server')
    return (
      <>
        {engines.length > 1 && (
          <Select label="Engine" value={key} choices={engines} onChange={(next) => set({ key: next })} />
        )}
        <TextField label="Parameter" placeholder="work_mem" value={name} onChange={(next) => set({ name: next })} />
        <TextField label="Value" placeholder="64MB" value={value} onChange={(next) => set({ value: next })} />
      </>
    );
  const chosen = keys.find((one) => one.key === key);
  return (
    <>
      <Select
        label="Key"
        value={isOther ? otherKey : (chosen?.key ?? null)}
        placeholder="Choose a key"
        choices={[
          ...keys.map((one) => ({ id: one.key, label: `${one.key}: ${one.value}` })),
          { id: otherKey, label: 'Another key of the file…' },
        ]}
        onChange={(next) => {
          setOther(next === otherKey);
          set({ key: next === otherKey ? '' : next, value: '' });
        }}
      />
      {isOther && (
        <TextField
          label="Path of the key"
          placeholder="workload.rowsPerCall"
          help="Write it as --set takes it: keys with dots between them."
          value={key}
          onChange={(next) => set({ key: next })}
        />
      )}
      <TextField
        label="Value"
        placeholder={chosen?.value ?? ''}
        help={chosen ? `This run had ${chosen.value}.` : undefined}
        value={value}
        onChange={(next) => set({ value: next })}
      />
    </>
  );
};

const Fields = ({ text, originals }: Props) => {
  const [typed, setTyped] = useState(nothing);
  const info = useStore(appInfo);
  const before = useCheckOf(text)?.checked?.plan ?? null;
  const used = [...new Set(before?.targets.map(({ engine }) => engine) ?? [])];
  const engines = used.map((id) => ({ id, label: info?.engines.find((one) => one.id === id)?.label ?? id }));
  const sizes = useMemo(() => sizesOf(text), [text]);
  const assignment = useMemo(() => assignmentOf(typed, text), [typed, text]);
  const changed = useMemo(() => (assignment === null ? null : withDifference(text, assignment)), [text, assignment]);
  const kinds = [
    { id: 'value', label: 'A value of the file' },
    ...(sizes.length > 0 ? [{ id: 'size', label: 'The size' }] : []),
    { id: 'target', label: 'A further target' },
    { id: 'session', label: 'A parameter of the sessions' },
    { id: 'server', label: 'A parameter of the servers' },
  ];
  return (
    <RunQuestion
      title="Run again with a difference"
      action="Run and compare"
      text={changed?.text ?? null}
      problem={changed?.problem ?? null}
      onCancel={close}
      onRun={(made) => void startWithDifference(made, titleOfDifference(typed), originals)}
    >
      <p className="muted">
        Dyno runs the experiment of this run with one difference, and compares the new run with this one when it is
        complete.
      </p>
      <Select
        label="Difference"
        value={typed.kind}
        choices={kinds}
        onChange={(kind) =>
          setTyped({ ...nothing, kind: kind as TypedDifference['kind'], key: kind === 'value' ? '' : (used[0] ?? '') })
        }
      />
      <DifferenceFields key={typed.kind} {...{ text, sizes, typed, engines, setTyped }} />
    </RunQuestion>
  );
};

/** Asks for one difference from the experiment of a run, and runs it. */
export const DifferenceDialog = () => {
  const asked = useStore(differenceDialog);
  const [read, setRead] = useState<{ readonly of: string; readonly text: string } | null>(null);
  const original = asked?.originals[0];
  useEffect(() => {
    if (original === undefined) return;
    let isLatest = true;
    void attempt('Could not read the experiment', () => request('runs:experiment', { runId: original })).then(
      (reply) => {
        if (!isLatest) return;
        if (reply) setRead({ of: original, text: reply.text });
        else close();
      },
    );
    return () => {
      isLatest = false;
    };
  }, [original]);
  const isKnown = useStore(runs)?.some(({ id }) => id === original) ?? false;
  if (asked === null || !isKnown || read === null || read.of !== original) return null;
  return <Fields key={original} text={read.text} originals={asked.originals} />;
};

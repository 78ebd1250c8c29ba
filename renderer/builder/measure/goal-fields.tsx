import { at, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { KeyInput } from '../form/key-input.tsx';

/** The goals that the form shows, in their order. */
const keys = ['p50Ms', 'p95Ms', 'p99Ms', 'maxMs', 'meanMs', 'errorsPercent', 'of'] as const;

/** The goals of one kind of call. A list of goals can only be edited in the YAML. */
export const GoalFields = ({ raw }: { readonly raw: Raw }) => {
  const goals = at(raw, ['goals']);
  if (Array.isArray(goals)) return <p className="muted">The file has a list of goals. Edit it in the YAML.</p>;
  const set = (key: string, value: unknown) => {
    const left = { ...recordAt(raw, ['goals']), [key]: value };
    if (Object.values(left).every((one) => one === undefined)) edit(['goals'], undefined);
    else edit(['goals', key], value);
  };
  return keys.map((key) => (
    <KeyInput key={key} raw={raw} path={['goals', key]} onChange={(value) => set(key, value)} />
  ));
};

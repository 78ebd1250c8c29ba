import type { Plan } from '#protocol/plan.ts';
import { at, type Raw } from '../draft/raw-experiment.ts';
import { KeyInput } from '../form/key-input.tsx';
import { useKept } from '../form/use-kept.ts';

const keys = ['warmupSeconds', 'warmupRows'] as const;

interface Props {
  readonly raw: Raw;
  /** Null while the file has errors. */
  readonly plan: Plan | null;
}

/** The warm-up that goes with the end of a trial, and the other one if the file has it. */
export const WarmUpFields = ({ raw, plan }: Props) => {
  const usual = { rows: 'warmupRows', time: 'warmupSeconds', calls: null }[plan?.measure.until ?? 'time'];
  const shown = useKept(keys.filter((key) => key === usual || at(raw, ['measure', key]) !== undefined));
  return keys
    .filter((key) => shown.includes(key))
    .map((key) => <KeyInput key={key} raw={raw} path={['measure', key]} />);
};

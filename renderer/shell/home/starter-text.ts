import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { AppInfo, Checked } from '#protocol/ipc.ts';
import { formatWait } from '../../ui/text/format-wait.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The text about the button of the first start, from the plan of the starter on this machine. */
interface StarterText {
  /** True if a server of the starter is missing on this machine. */
  readonly lacks: boolean;
  readonly happens: string;
  /** The duration, such as "about 52 s". Null while it is unknown. */
  readonly takes: string | null;
}

export function starterText(
  checked: Checked | null,
  engines: readonly EngineDescriptor[],
  missing: AppInfo['missing'],
): StarterText {
  const plan = checked?.plan ?? null;
  if (!checked || !plan || engines.length === 0)
    return {
      lacks: false,
      happens:
        'Dyno inserts the same rows in several ways, and says which way is fastest, how certain that is, and why.',
      takes: null,
    };
  const own = plan.targets.flatMap(({ name }) => {
    const engine = engines.find(({ builtIn }) => builtIn.some(({ target }) => target === name));
    const label = engine?.builtIn.find(({ target }) => target === name)?.label.replace(/ \(.*\)$/, '');
    return engine && !engine.reference && label ? [{ name, label, isServer: !engine.inProcess }] : [];
  });
  const present = own.filter(({ name }) => missing[name] === undefined);
  const servers = present.filter(({ isServer }) => isServer).map(({ label }) => label);
  const ways = numbers[plan.variants.length] ?? String(plan.variants.length);
  const starts =
    servers.length > 0
      ? ` ${list.format(servers)} ${servers.length === 1 ? 'runs' : 'run'} on this machine during the run; no data leaves it.`
      : '';
  const { estimateSeconds } = checked;
  return {
    lacks: present.length < own.length,
    happens: `Dyno brings ${list.format(present.map(({ label }) => label))}. It inserts the same rows in ${ways} ways, and says which way is fastest, how certain that is, and what limits the others.${starts}`,
    takes: estimateSeconds === null ? null : `about ${formatWait(estimateSeconds.likely ?? estimateSeconds.most)}`,
  };
}

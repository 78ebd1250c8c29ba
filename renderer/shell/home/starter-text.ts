import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { AppInfo, Checked } from '#protocol/ipc.ts';
import { formatWait } from '../../ui/text/format-wait.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The first start's text about its one button, from the starter's plan on this machine. */
interface StarterText {
  /** True if a server that the starter needs is missing here. */
  readonly lacks: boolean;
  readonly happens: string;
  /** "about 52 s"; null while it is not known. */
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
      happens: 'Dyno inserts the same rows in several ways, says which is fastest, how certain that is, and why.',
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
      ? ` ${list.format(servers)} ${servers.length === 1 ? 'runs' : 'run'} on this machine for as long as that takes; nothing leaves it.`
      : '';
  const { estimateSeconds } = checked;
  return {
    lacks: present.length < own.length,
    happens: `Dyno brings ${list.format(present.map(({ label }) => label))}. It inserts the same rows in ${ways} ways, says which is fastest, how certain that is, and what held the others back.${starts}`,
    takes: estimateSeconds === null ? null : `about ${formatWait(estimateSeconds.most)}`,
  };
}

import type { MouseEvent } from 'react';
import { Link } from 'react-aria-components/Link';
import { draft, hasChanges } from '../builder/draft/draft-store.ts';
import { openHelp } from '../help/help-store.ts';
import { liveRun } from '../state/live-run.ts';
import { currentPage, goTo, type PageAddress } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { setAsideItems } from '../state/set-aside.ts';
import { useStore } from '../state/store.ts';
import { toggleTheme, useTheme } from '../state/theme.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { roveOnKey } from '../ui/controls/rove-on-key.ts';
import { Gauge } from '../ui/display/gauge.tsx';
import { ProgressBar } from '../ui/display/progress-bar.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { modKey } from '../ui/text/mod-key.ts';
import { paletteOpen } from './commands.ts';

const entries = [
  { page: 'home', label: 'Home', icon: 'home', pages: ['home'] },
  { page: 'experiments', label: 'Experiments', icon: 'flask', pages: ['experiments', 'experiment'] },
  { page: 'builder', label: 'Builder', icon: 'edit', pages: ['builder'] },
  { page: 'runs', label: 'Runs', icon: 'runs', pages: ['runs', 'run', 'history', 'compare'] },
  { page: 'connections', label: 'Connections', icon: 'plug', pages: ['connections', 'connection'] },
  { page: 'hosts', label: 'Load hosts', icon: 'hosts', pages: ['hosts'] },
] as const satisfies readonly { readonly pages: readonly PageAddress['page'][]; readonly [more: string]: unknown }[];

const isAmong = (pages: readonly PageAddress['page'][], page: PageAddress['page']): boolean => pages.includes(page);

const leadTo = (to: PageAddress) => (event: MouseEvent) => {
  event.preventDefault();
  goTo(to);
};

/** The live run with its progress, on every page. */
const LiveRun = () => {
  const live = liveRun(useStore(runProgress));
  const name = useStore(runs)?.find(({ id }) => id === live?.runId)?.name ?? 'Run';
  if (!live) return null;
  const done = `${live.trialsDone} of ${live.trialsPlanned}`;
  return (
    <div className="rail-live">
      <Link className="rail-live-link" href="#run" onPress={() => goTo({ page: 'run', runId: live.runId })}>
        <span className="rail-live-name">{name}</span>
        <span className="visually-hidden">, {live.paused ? 'paused' : 'running'}: </span>
        <span className="rail-live-count">{live.paused ? 'paused' : done}</span>
      </Link>
      <ProgressBar label={`Progress of ${name}`} fraction={live.fraction} />
    </div>
  );
};

/** The unsaved changes that were set aside, with their names. */
const Drafts = () => {
  const items = useStore(setAsideItems);
  const text = items.length === 1 ? '1 draft' : `${items.length} drafts`;
  return (
    <div className="rail-drafts" role="status">
      {items.length > 0 && (
        <ActionMenu
          label={`${text} with unsaved changes`}
          text={text}
          icon="edit"
          placement="right bottom"
          actions={items.flatMap(({ key, name, restore, discard }) => [
            { id: `restore ${key}`, label: `Restore “${name}”`, run: restore },
            { id: `discard ${key}`, label: `Discard “${name}”`, run: discard },
          ])}
        />
      )}
    </div>
  );
};

export const Rail = () => {
  const here = useStore(currentPage).page;
  const open = useStore(draft);
  const theme = useTheme();
  return (
    <header className="rail">
      <div className="rail-brand" aria-hidden="true">
        <Gauge />
        <span>Dyno</span>
      </div>
      <nav aria-label="Main" onKeyDown={roveOnKey}>
        {entries.map((entry) => {
          const isHere = isAmong(entry.pages, here);
          return (
            <a
              key={entry.page}
              className="rail-link"
              href={`#${entry.page}`}
              aria-current={isHere ? 'page' : 'false'}
              tabIndex={isHere ? 0 : -1}
              onClick={leadTo({ page: entry.page })}
            >
              <Icon name={entry.icon} />
              <span>{entry.label}</span>
              {entry.page === 'builder' && open && hasChanges(open) && (
                <i className="rail-dot" role="img" aria-label="unsaved changes" />
              )}
            </a>
          );
        })}
      </nav>
      <Drafts />
      <LiveRun />
      <div className="rail-foot" role="toolbar" aria-label="Window" onKeyDown={roveOnKey}>
        <IconButton icon="search" label="Command palette" keys={`${modKey} K`} onPress={() => paletteOpen.set(true)} />
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? 'Switch to light' : 'Switch to dark'}
          excludeFromTabOrder
          onPress={toggleTheme}
        />
        <IconButton
          icon="settings"
          label="Settings"
          keys={`${modKey} ,`}
          excludeFromTabOrder
          onPress={() => goTo({ page: 'settings' })}
        />
        <IconButton
          icon="help"
          label="Documentation"
          keys="F1"
          excludeFromTabOrder
          onPress={() => openHelp('contents')}
        />
      </div>
    </header>
  );
};

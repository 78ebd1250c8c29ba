import { Link } from 'react-aria-components/Link';
import { draft, hasChanges } from '../builder/draft/draft-store.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { toggleTheme, useTheme } from '../state/theme.ts';
import { IconButton } from '../ui/button.tsx';
import { Gauge } from '../ui/gauge.tsx';
import { Icon } from '../ui/icon.tsx';
import { modKey } from '../ui/mod-key.ts';
import { helpOpen, paletteOpen } from './commands.ts';

const entries = [
  { page: 'home', label: 'Home', icon: 'home', pages: ['home'] },
  { page: 'experiments', label: 'Experiments', icon: 'flask', pages: ['experiments', 'experiment'] },
  { page: 'builder', label: 'Builder', icon: 'edit', pages: ['builder'] },
  { page: 'runs', label: 'Runs', icon: 'runs', pages: ['runs', 'run'] },
  { page: 'connections', label: 'Connections', icon: 'plug', pages: ['connections', 'connection'] },
] as const;

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
      <nav aria-label="Main">
        {entries
          .filter(({ page }) => page !== 'builder' || open)
          .map((entry) => (
            <Link
              key={entry.page}
              className="rail-link"
              href={`#${entry.page}`}
              aria-current={(entry.pages as readonly string[]).includes(here) ? 'page' : 'false'}
              onPress={() => goTo({ page: entry.page })}
            >
              <Icon name={entry.icon} />
              <span>{entry.label}</span>
              {entry.page === 'builder' && open && hasChanges(open) && (
                <i className="rail-dot" role="img" aria-label="unsaved changes" />
              )}
            </Link>
          ))}
      </nav>
      <div className="rail-foot">
        <IconButton icon="search" label="Command palette" keys={`${modKey} K`} onPress={() => paletteOpen.set(true)} />
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? 'Switch to light' : 'Switch to dark'}
          onPress={toggleTheme}
        />
        <IconButton icon="help" label="Keyboard shortcuts" keys="?" onPress={() => helpOpen.set(true)} />
      </div>
    </header>
  );
};

import { Link } from 'react-aria-components/Link';
import { useStore } from '../store.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { helpOpen, modKey, paletteOpen } from './commands.ts';
import { goTo, place } from './navigation.ts';
import { toggleTheme, useTheme } from './theme.ts';

const entries = [
  { page: 'experiments', label: 'Experiments', icon: 'flask', pages: ['experiments', 'builder'] },
  { page: 'runs', label: 'Runs', icon: 'runs', pages: ['runs', 'run'] },
] as const;

export const Rail = () => {
  const here = useStore(place).page;
  const theme = useTheme();
  return (
    <header className="rail">
      <div className="rail-brand" aria-hidden="true">
        Dyno
      </div>
      <nav aria-label="Main">
        {entries.map((entry) => (
          <Link
            key={entry.page}
            className="rail-link"
            href={`#${entry.page}`}
            aria-current={(entry.pages as readonly string[]).includes(here) ? 'page' : 'false'}
            onPress={() => goTo({ page: entry.page })}
          >
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
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

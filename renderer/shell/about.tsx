import { appInfo } from '../state/app-info.ts';
import { useStore } from '../state/store.ts';
import { texts } from './text.ts';

/** The versions of Dyno, of the window's Electron and of the workers' Node, and the folders of Dyno's files. */
export function About() {
  const info = useStore(appInfo);
  if (info === null) return null;
  const { version, window, runtime, home } = info;
  return (
    <section aria-label={texts.about.aboutDyno} className="about">
      <p>{texts.about.dynoNode(version, window, runtime.node ?? '')}</p>
      <p>
        {texts.about.files} <code>{home}</code>
      </p>
    </section>
  );
}

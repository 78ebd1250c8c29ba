import { appInfo } from '../state/app-info.ts';
import { useStore } from '../state/store.ts';

/** The versions of Dyno, of the window's Electron and of the workers' Node, and the folders of Dyno's files. */
export function About() {
  const info = useStore(appInfo);
  if (info === null) return null;
  const { version, window, runtime, home } = info;
  return (
    <section aria-label="About Dyno" className="about">
      <p>{`Dyno ${version} · ${window} · Node ${runtime.node ?? ''}`}</p>
      <p>
        {'Files:'} <code>{home}</code>
      </p>
    </section>
  );
}

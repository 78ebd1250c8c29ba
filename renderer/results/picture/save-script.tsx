import { useEffect, useId, useState } from 'react';
import { type ScriptLanguage, type ScriptOffer, scriptKinds } from '#engine-api/reproducer.ts';
import type { Cell } from '#protocol/plan.ts';
import { attempt, request } from '../../state/bridge.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

interface Props {
  readonly runId: string;
  readonly cell: Cell;
}

/** Saves a cell as a script that runs without Dyno; below a button that cannot stands the reason. */
export const SaveScript = ({ runId, cell: { target, variant } }: Props) => {
  const [offers, setOffers] = useState<readonly ScriptOffer[]>([]);
  const reasonId = useId();
  useEffect(() => {
    let isCurrent = true;
    setOffers([]);
    attempt('Could not look for scripts of this cell', () => request('runs:scripts', { runId, target, variant })).then(
      (found) => {
        if (isCurrent && found) setOffers(found);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [runId, target, variant]);
  const save = async (language: ScriptLanguage) => {
    const done = await attempt('Could not save the script', () =>
      request('runs:saveScript', { runId, target, variant, language }),
    );
    if (done?.saved) showToast({ tone: 'info', title: 'Script saved' });
  };
  return (
    <section aria-label="Scripts" className="inspector-scripts">
      <h3>Scripts</h3>
      <p className="muted">A script repeats this result without Dyno, for example for the support of a vendor.</p>
      {offers.map(({ language, cannot }) => (
        <div key={language}>
          <Button
            isDisabled={cannot !== null}
            onPress={() => void save(language)}
            {...(cannot !== null && { 'aria-describedby': `${reasonId}-${language}` })}
          >
            Save as script for {scriptKinds[language].label}…
          </Button>
          {cannot !== null && (
            <p id={`${reasonId}-${language}`} className="muted">
              {cannot}
            </p>
          )}
        </div>
      ))}
    </section>
  );
};

import { useState } from 'react';
import { hues } from '#model/hues.ts';
import { Swatch } from '../../charts/swatch.tsx';
import { appInfo, builtInHere } from '../../state/app-info.ts';
import { attempt, request } from '../../state/bridge.ts';
import { connections } from '../../state/connections.ts';
import { defaultLimits, type NewExperimentDefaults, standardDefaults } from '../../state/new-experiment-defaults.ts';
import { newExperimentDefaults, reportAuthor } from '../../state/preferences.ts';
import { useStore } from '../../state/store.ts';
import { type ThemeChoice, themeChoice } from '../../state/theme.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox, TextField } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField, numberProblem } from '../../ui/controls/number-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { PageHead } from '../../ui/display/page-head.tsx';

const Appearance = () => (
  <section className="panel settings-section" aria-label="Appearance">
    <h2>Appearance</h2>
    <Segmented
      label="Theme"
      value={useStore(themeChoice)}
      choices={[
        { id: 'system', label: 'As the system' },
        { id: 'light', label: 'Light' },
        { id: 'dark', label: 'Dark' },
      ]}
      onChange={(id) => themeChoice.set(id as ThemeChoice)}
    />
  </section>
);

const openHome = () => void attempt('Could not open the folder', () => request('app:openHome', null));

const Folders = () => {
  const home = useStore(appInfo)?.home ?? '';
  return (
    <section className="panel settings-section" aria-label="Folders">
      <h2>Folders</h2>
      <p className="muted">
        Dyno keeps all its files in one folder: runs, experiments, connections, and the servers that it starts itself.
      </p>
      <div className="settings-line">
        <code className="mono grow">{home}</code>
        <Button onPress={openHome}>Open folder</Button>
      </div>
      <p className="muted">
        To use another folder, set the environment variable <code>DYNO_HOME</code> before you start Dyno.
      </p>
    </section>
  );
};

interface Target {
  readonly name: string;
  readonly label: string;
  readonly index: number;
}

/**
 * The connections of the user, then the built-in targets that work on this machine, then chosen targets that do not
 * exist here, so that they can be taken out.
 */
function useTargets(chosen: readonly string[]): readonly Target[] {
  const info = useStore(appInfo);
  const saved = (useStore(connections)?.connections ?? []).map(({ name, hue }) => ({ name, label: name, index: hue }));
  const builtIn = builtInHere(info?.engines ?? [], info?.missing ?? {});
  const here = [...saved, ...builtIn.map(({ target, label, index }) => ({ name: target, label, index }))];
  const gone = chosen.filter((name) => !here.some((one) => one.name === name));
  return [...here, ...gone.map((name) => ({ name, label: `${name} (not on this computer)`, index: hues }))];
}

const NewExperiments = () => {
  const defaults = useStore(newExperimentDefaults);
  const targets = useTargets(defaults.targets);
  const change = (more: Partial<NewExperimentDefaults>) => newExperimentDefaults.set({ ...defaults, ...more });
  // An invalid entry stays in its field and is not stored.
  const [invalid, setInvalid] = useState<Partial<Record<'repeats' | 'seconds', NumberEntry>>>({});
  const number = (key: 'repeats' | 'seconds', whole: boolean) => ({
    value: invalid[key] ?? defaults[key],
    whole,
    required: true,
    ...defaultLimits[key],
    onChange: (entry: NumberEntry) => {
      const isValid = typeof entry === 'number' && numberProblem(entry, { whole, ...defaultLimits[key] }) === null;
      setInvalid((now) => ({ ...now, [key]: isValid ? null : entry }));
      if (isValid) change({ [key]: entry });
    },
  });
  const tick = (name: string, isOn: boolean) =>
    change({ targets: isOn ? [...defaults.targets, name] : defaults.targets.filter((one) => one !== name) });
  return (
    <section className="panel settings-section" aria-label="New experiments">
      <h2>New experiments</h2>
      <p className="muted">
        An experiment that you start with “New” begins with these values. You can change all of them there.
      </p>
      <fieldset className="settings-targets">
        <legend>Targets</legend>
        {targets.map(({ name, label, index }) => {
          const isOn = defaults.targets.includes(name);
          return (
            <Checkbox
              key={name}
              name={label}
              label={
                <>
                  <Swatch index={index} /> {label}
                </>
              }
              checked={isOn}
              disabled={isOn && defaults.targets.length === 1}
              onChange={(next) => tick(name, next)}
            />
          );
        })}
      </fieldset>
      <div className="settings-numbers">
        <NumberField label="Repeats" {...number('repeats', true)} />
        <NumberField label="Seconds per trial" unit="s" {...number('seconds', false)} />
      </div>
      <div>
        <Button
          isDisabled={defaults === standardDefaults}
          onPress={() => {
            setInvalid({});
            newExperimentDefaults.set(standardDefaults);
          }}
        >
          Reset to Dyno’s values
        </Button>
      </div>
    </section>
  );
};

const Reports = () => (
  <section className="panel settings-section" aria-label="Reports">
    <h2>Reports</h2>
    <TextField
      label="Author"
      help="Reports name the author under their title. Empty: a report names nobody."
      value={useStore(reportAuthor)}
      onChange={(author) => reportAuthor.set(author)}
    />
  </section>
);

const Privacy = () => (
  <section className="panel settings-section" aria-label="Privacy">
    <h2>Privacy</h2>
    <ul className="settings-list">
      <li>
        Dyno connects to the servers and load hosts that you name. It contacts a package registry only when you install
        a server or a tool.
      </li>
      <li>Passwords of connections stay on this computer. Run files, reports and logs do not contain them.</li>
      <li>
        A run file contains the experiment with its SQL, addresses, versions and settings of the servers, and the names
        of programs that used the processors beside Dyno. Read it before you give it to others, or export a report
        without names.
      </li>
    </ul>
  </section>
);

/** The settings of the window: theme, folders, defaults of new experiments, reports, privacy. */
export const SettingsView = () => (
  <>
    <PageHead title="Settings" subtitle="Settings apply at once and are kept on this computer." />
    <div className="page-body">
      <div className="settings">
        <Appearance />
        <NewExperiments />
        <Reports />
        <Folders />
        <Privacy />
      </div>
    </div>
  </>
);

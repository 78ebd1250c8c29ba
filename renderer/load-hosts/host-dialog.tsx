import { useState } from 'react';
import type { LoadHostProblem, SavedLoadHost } from '#model/load-hosts.ts';
import { coordinatorKey, loadHosts } from '../state/load-hosts.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/fields.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { saveHost } from './host-actions.ts';
import { type HostForm, hostFormOf, hostFormProblems, hostOfForm } from './host-form.ts';
import { testHost } from './host-tests.ts';
import { texts } from './text.ts';

interface FieldsProps {
  readonly form: HostForm;
  readonly problemOf: (field: LoadHostProblem['field']) => string | undefined;
  readonly change: (more: Partial<HostForm>) => void;
}

const SshFields = ({ form, problemOf, change }: FieldsProps) => (
  <>
    <TextField
      label={texts.hostDialog.login}
      help={texts.hostDialog.loginHelp}
      placeholder={texts.hostDialog.exampleLogin}
      problem={problemOf('ssh')}
      value={form.login}
      onChange={(login) => change({ login })}
    />
    <details className="span-all">
      <summary>{texts.hostDialog.more}</summary>
      <div className="form-grid">
        <TextField
          label={texts.hostDialog.identityFile}
          help={texts.hostDialog.identityHelp}
          placeholder={texts.hostDialog.agentsKeys}
          value={form.identityFile}
          onChange={(identityFile) => change({ identityFile })}
        />
        <TextField
          label={texts.hostDialog.jump}
          help={texts.hostDialog.jumpHelp}
          placeholder={texts.hostDialog.none}
          value={form.jump}
          onChange={(jump) => change({ jump })}
        />
      </div>
    </details>
    <p className="muted span-all">{texts.hostDialog.aboutSsh}</p>
  </>
);

const BusFields = ({ form, problemOf, change }: FieldsProps) => {
  const key = useStore(coordinatorKey) ?? '';
  return (
    <>
      <TextField
        label={texts.hostDialog.bus}
        help={texts.hostDialog.busHelp}
        placeholder={texts.hostDialog.exampleBus}
        problem={problemOf('nats')}
        value={form.nats}
        onChange={(nats) => change({ nats })}
      />
      <TextField
        label={texts.hostDialog.agent}
        help={texts.hostDialog.agentHelp}
        problem={problemOf('agent')}
        value={form.agent}
        onChange={(agent) => change({ agent })}
      />
      <TextField
        label={texts.hostDialog.credentials}
        help={texts.hostDialog.credentialsHelp}
        placeholder={texts.hostDialog.none}
        value={form.credentials}
        onChange={(credentials) => change({ credentials })}
      />
      <TextField
        label={texts.hostDialog.ca}
        help={texts.hostDialog.caHelp}
        placeholder={texts.hostDialog.none}
        value={form.ca}
        onChange={(ca) => change({ ca })}
      />
      <div className="span-all host-command">
        <p className="muted">{texts.hostDialog.aboutDirect}</p>
        <CopyBox
          label={texts.hostDialog.commandOnTheHost}
          text={texts.hostDialog.agentCommand(form.nats.trim() || texts.hostDialog.exampleBus, key)}
        />
      </div>
    </>
  );
};

interface Props {
  /** The load host to change; null: a new one. */
  readonly host: SavedLoadHost | null;
  readonly onClose: () => void;
}

/** The form of a load host. */
export const HostDialog = ({ host, onClose }: Props) => {
  const [form, setForm] = useState(() => hostFormOf(host));
  const [showAll, setShowAll] = useState(false);
  const all = useStore(loadHosts)?.hosts ?? [];
  const before = host?.name ?? null;
  const taken = all.flatMap((one) => (one.host.name === before ? [] : [one.host.name]));
  const problems = hostFormProblems(form, taken);
  const problemOf = (field: LoadHostProblem['field']) => (showAll ? problems.get(field) : undefined);
  const change = (more: Partial<HostForm>) => setForm((now) => ({ ...now, ...more }));
  const save = async (thenTest: boolean) => {
    setShowAll(true);
    const made = hostOfForm(form);
    if (problems.size > 0 || !(await saveHost(made, before))) return;
    onClose();
    if (thenTest) void testHost(made);
  };
  return (
    <Dialog
      title={before === null ? texts.hostDialog.addALoadHost : texts.hostDialog.edit(before)}
      open
      onClose={onClose}
      wide
    >
      <div className="dialog-body host-dialog">
        <Segmented
          label={texts.hostDialog.howItIsReached}
          value={form.way}
          choices={[
            { id: 'ssh', label: texts.hostDialog.overSsh },
            { id: 'bus', label: texts.hostDialog.direct },
          ]}
          onChange={(way) => change({ way: way === 'bus' ? 'bus' : 'ssh' })}
        />
        <div className="form-grid">
          <TextField
            label={texts.hostDialog.name}
            help={texts.hostDialog.nameHelp}
            placeholder={texts.hostDialog.exampleName}
            autoFocus
            problem={problemOf('name')}
            value={form.name}
            onChange={(name) => change({ name })}
          />
          {form.way === 'ssh' ? (
            <SshFields form={form} problemOf={problemOf} change={change} />
          ) : (
            <BusFields form={form} problemOf={problemOf} change={change} />
          )}
        </div>
        <div className="dialog-actions">
          <Button onPress={onClose}>{texts.hostDialog.cancel}</Button>
          <Button onPress={() => void save(false)}>{texts.hostDialog.save}</Button>
          <Button kind="primary" onPress={() => void save(true)}>
            {texts.hostDialog.saveAndTest}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

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

interface FieldsProps {
  readonly form: HostForm;
  readonly problemOf: (field: LoadHostProblem['field']) => string | undefined;
  readonly change: (more: Partial<HostForm>) => void;
}

const SshFields = ({ form, problemOf, change }: FieldsProps) => (
  <>
    <TextField
      label="SSH login"
      help="user@host, with :port if it is not 22; or a Host of ~/.ssh/config."
      placeholder="dba@load1.example.com"
      problem={problemOf('ssh')}
      value={form.login}
      onChange={(login) => change({ login })}
    />
    <details className="span-all">
      <summary>Key and jump hosts</summary>
      <div className="form-grid">
        <TextField
          label="Private key file"
          help="The path of the key. If the key has a passphrase, add it to the agent (ssh-add)."
          placeholder="the agent’s keys"
          value={form.identityFile}
          onChange={(identityFile) => change({ identityFile })}
        />
        <TextField
          label="Jump hosts"
          help="Hosts as in ssh -J, separated by commas."
          placeholder="none"
          value={form.jump}
          onChange={(jump) => change({ jump })}
        />
      </div>
    </details>
    <p className="muted span-all">
      A run logs in with your ssh, copies Dyno to the host and starts its agent there. At the end it deletes both. It
      opens no port.
    </p>
  </>
);

const BusFields = ({ form, problemOf, change }: FieldsProps) => {
  const key = useStore(coordinatorKey) ?? '';
  return (
    <>
      <TextField
        label="NATS server"
        help="nats://host:port or tls://host:port, as this machine reaches it."
        placeholder="tls://nats.example.com:4222"
        problem={problemOf('nats')}
        value={form.nats}
        onChange={(nats) => change({ nats })}
      />
      <TextField
        label="Public key of the agent"
        help="`dyno agent` prints it when it starts."
        problem={problemOf('agent')}
        value={form.agent}
        onChange={(agent) => change({ agent })}
      />
      <TextField
        label="Credentials file"
        help="Path to a credentials file for Dyno on this machine, or to the seed of an NKey. Empty: the NATS server needs no login."
        placeholder="none"
        value={form.credentials}
        onChange={(credentials) => change({ credentials })}
      />
      <TextField
        label="Certificates file"
        help="Path to the CA certificates of the NATS server. Empty: public CAs."
        placeholder="none"
        value={form.ca}
        onChange={(ca) => change({ ca })}
      />
      <div className="span-all host-command">
        <p className="muted">
          The agent is already running and waits on your NATS server. This suits containers and many hosts. Start the
          agent with this command:
        </p>
        <CopyBox
          label="On the load host"
          text={`dyno agent --nats ${form.nats.trim() || 'tls://nats.example.com:4222'} --trust ${key}`}
        />
      </div>
    </>
  );
};

interface Props {
  /** The load host to change. Null for a new host. */
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
    <Dialog title={before === null ? 'Add a load host' : `Load host ${before}`} open onClose={onClose} wide>
      <div className="dialog-body host-dialog">
        <Segmented
          label="Connection"
          value={form.way}
          choices={[
            { id: 'ssh', label: 'Over SSH' },
            { id: 'bus', label: 'Agent over NATS' },
          ]}
          onChange={(way) => change({ way: way === 'bus' ? 'bus' : 'ssh' })}
        />
        <div className="form-grid">
          <TextField
            label="Name"
            help="Experiments use this name under “loadFrom”."
            placeholder="load1"
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
          <Button onPress={onClose}>Cancel</Button>
          <Button onPress={() => void save(false)}>Save</Button>
          <Button kind="primary" onPress={() => void save(true)}>
            Save and test
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

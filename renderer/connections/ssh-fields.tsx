import { useState } from 'react';
import type { Ssh } from '#model/ssh.ts';
import { TextField } from '../ui/controls/fields.tsx';
import { NumberField } from '../ui/controls/number-field.tsx';
import type { SshForm } from './connection-form-model.ts';

interface Props {
  readonly value: SshForm;
  /** The problem of a field, such as "ssh.host". */
  readonly problemOf: (field: string) => string | undefined;
  readonly onChange: (part: keyof Ssh, value: string | number | undefined) => void;
}

const inputs: readonly {
  readonly part: Exclude<keyof Ssh, 'port'>;
  readonly label: string;
  readonly placeholder: string;
  readonly help: string;
}[] = [
  {
    part: 'host',
    label: 'SSH host',
    placeholder: 'none',
    help: 'A name, an address, or a Host of ~/.ssh/config. Fill in the fields above as that host sees the server.',
  },
  { part: 'user', label: 'SSH user', placeholder: 'as ~/.ssh/config says', help: '' },
  {
    part: 'identityFile',
    label: 'Private key file',
    placeholder: 'the agent’s keys',
    help: 'The path of the key. If the key has a passphrase, add it to the agent (ssh-add).',
  },
  {
    part: 'jump',
    label: 'Jump hosts',
    placeholder: 'none',
    help: 'Hosts as in ssh -J, separated by commas: admin@jump.example.com.',
  },
];

/**
 * The fields of the SSH server of a connection. The system's ssh logs in there without questions, and checks
 * known_hosts.
 */
export const SshFields = ({ value, problemOf, onChange }: Props) => {
  const [host, user, ...others] = inputs.map(({ part, label, placeholder, help }) => (
    <TextField
      key={part}
      label={label}
      help={help === '' ? undefined : help}
      placeholder={placeholder}
      problem={problemOf(`ssh.${part}`)}
      value={value[part] ?? ''}
      onChange={(text) => onChange(part, text === '' ? undefined : text)}
    />
  ));
  const hasProblem = [...inputs.map(({ part }) => part), 'port'].some((part) => problemOf(`ssh.${part}`) !== undefined);
  const [isOpen, setOpen] = useState(false);
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{value.host ? `SSH tunnel through ${value.host}` : 'SSH tunnel'}</summary>
      <div className="form-grid">
        {host}
        {user}
        <NumberField
          label="SSH port"
          placeholder="22"
          problem={problemOf('ssh.port')}
          value={value.port ?? null}
          unit="digits"
          whole
          min={1}
          max={65_535}
          onChange={(port) => onChange('port', port ?? undefined)}
        />
        {others}
      </div>
    </details>
  );
};

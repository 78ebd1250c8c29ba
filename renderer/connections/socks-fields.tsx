import { type ReactNode, useState } from 'react';
import { socksPasswordField, socksPort } from '#model/socks.ts';
import { TextField } from '../ui/controls/fields.tsx';
import { NumberField } from '../ui/controls/number-field.tsx';
import type { SocksForm } from './connection-form-model.ts';

interface Props {
  readonly value: SocksForm;
  /** The problem of a field, such as "socks.host". */
  readonly problemOf: (field: string) => string | undefined;
  readonly onChange: (part: keyof SocksForm, value: string | number | undefined) => void;
  /** The input of the proxy's password. */
  readonly password: ReactNode;
}

/** The fields of the SOCKS5 proxy of a connection. */
export const SocksFields = ({ value, problemOf, onChange, password }: Props) => {
  const fields = ['socks.host', 'socks.port', 'socks.user', 'socks.password', socksPasswordField];
  const hasProblem = fields.some((field) => problemOf(field) !== undefined);
  const [isOpen, setOpen] = useState(false);
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{value.host ? `SOCKS proxy at ${value.host}` : 'SOCKS proxy'}</summary>
      <div className="form-grid">
        <TextField
          label="SOCKS host"
          help="The host of a SOCKS5 proxy. Fill in the fields above as the proxy sees the server. The proxy can read everything that the connection does not encrypt."
          placeholder="none"
          problem={problemOf('socks.host')}
          value={value.host ?? ''}
          onChange={(text) => onChange('host', text === '' ? undefined : text)}
        />
        <NumberField
          label="SOCKS port"
          placeholder={String(socksPort)}
          problem={problemOf('socks.port')}
          value={value.port ?? null}
          unit="digits"
          whole
          min={1}
          max={65_535}
          onChange={(port) => onChange('port', port ?? undefined)}
        />
        <TextField
          label="SOCKS user"
          placeholder="no login"
          problem={problemOf('socks.user')}
          value={value.user ?? ''}
          onChange={(text) => onChange('user', text === '' ? undefined : text)}
        />
        {password}
      </div>
    </details>
  );
};

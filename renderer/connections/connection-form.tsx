import { useState } from 'react';
import type { ConfigField } from '#engine-api/config.ts';
import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { urlField } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { socksPasswordField, socksPasswordLabel } from '#model/socks.ts';
import { HelpButton } from '../help/help-button.tsx';
import { engineTopic } from '../help/help-store.ts';
import { appInfo } from '../state/app-info.ts';
import { request } from '../state/bridge.ts';
import { connections } from '../state/connections.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { ConfigInput } from '../ui/controls/config-input.tsx';
import { Select, TextField } from '../ui/controls/fields.tsx';
import {
  emptyForm,
  suggestedVariable,
  withPassword,
  withTunnelPart,
  withUrl,
  withValue,
} from './connection-form-model.ts';
import { canStore, change, type OpenForm, offered } from './open-form.ts';
import { PasswordInput } from './password-input.tsx';
import { ProductionFields } from './production-fields.tsx';
import { SocksFields } from './socks-fields.tsx';
import { SshFields } from './ssh-fields.tsx';

/** The input of a SOCKS proxy's password is the same as that of an engine's password field. */
const socksPassword: ConfigField = {
  name: socksPasswordField,
  label: socksPasswordLabel,
  kind: 'password',
  localUse: 'plain',
};

/** Fills the fields from a pasted URL, and clears the input at once, because the URL may contain a password. */
const PasteUrl = ({ engine, isNew }: { readonly engine: EngineDescriptor; readonly isNew: boolean }) => {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [notes, setNotes] = useState<readonly string[]>([]);
  const fill = async (url: string) => {
    try {
      const read = await request('connections:readUrl', { url: url.trim(), engine: isNew ? null : engine.id });
      const known = appInfo.get()?.engines.find(({ id }) => id === read.engine);
      if (!known) return;
      change((form) => withUrl(form, read, known, canStore()), urlField);
      setText('');
      setProblem(undefined);
      setNotes(
        read.readOnly ? ['Marked as production: runs may only read over this connection.', ...read.notes] : read.notes,
      );
    } catch (thrown) {
      setText(url);
      setNotes([]);
      setProblem(errorText(toErrorData(thrown)));
    }
  };
  const example = engine.config.find(({ name }) => name === urlField)?.placeholder ?? '';
  return (
    <form
      className="paste-url span-all"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== '') void fill(text);
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text');
        if (text !== '' || !looksLikeConnectionString(pasted)) return;
        event.preventDefault();
        void fill(pasted);
      }}
    >
      <TextField
        label="Paste a URL or connection string"
        help="Fills the fields below, including the password. JDBC, ADO.NET, ODBC and libpq formats are supported, too."
        problem={problem}
        placeholder={example}
        value={text}
        onChange={(next) => {
          setText(next);
          setProblem(undefined);
        }}
      />
      <Button type="submit" isDisabled={text === ''}>
        Use this URL
      </Button>
      {notes.length > 0 && (
        <div className="url-notes" role="status">
          {notes.map((note) => (
            <div key={note} className="faint">
              {note}
            </div>
          ))}
        </div>
      )}
    </form>
  );
};

interface GeneralFieldsProps {
  readonly open: OpenForm;
  readonly engines: readonly EngineDescriptor[];
  readonly engine: EngineDescriptor;
  readonly nameProblem: string | undefined;
}

/** The engine, the connection's name, and the input for a URL. */
const GeneralFields = ({ open: { form }, engines, engine, nameProblem }: GeneralFieldsProps) => {
  const isNew = form.id === null;
  const hasUrl = engine.config.some(({ name }) => name === urlField);
  const common = { label: 'Engine', help: `Driver: ${engine.driver}` };
  const choose = (id: string) => {
    const chosen = engines.find((one) => one.id === id);
    if (chosen && id !== form.engine) change((now) => ({ ...emptyForm(now.key, chosen, canStore()), name: now.name }));
  };
  return (
    <div className="form-grid">
      <div className="setting">
        {isNew ? (
          <Select
            {...common}
            value={form.engine}
            choices={offered().map(({ id, label }) => ({ id, label }))}
            onChange={choose}
          />
        ) : (
          <TextField {...common} value={engine.label} disabled onChange={() => {}} />
        )}
        <HelpButton about={engine.label} topic={engineTopic(engine.id)} />
      </div>
      <TextField
        label="Name"
        help="Experiments use this name under “targets”."
        problem={nameProblem}
        placeholder="staging"
        value={form.name}
        onChange={(name) => change((now) => ({ ...now, name }), 'name')}
      />
      {engine.notice && <p className="muted span-all">{engine.notice}</p>}
      {(isNew || hasUrl) && <PasteUrl key={form.key} engine={engine} isNew={isNew} />}
    </div>
  );
};

interface EngineFieldProps {
  readonly open: OpenForm;
  readonly field: ConfigField;
  readonly problem: string | undefined;
}

/** The input of an engine's connection field. */
const EngineField = ({ open: { form }, field, problem }: EngineFieldProps) => {
  const cannotStore = useStore(connections)?.cannotStore ?? null;
  const password = form.passwords[field.name];
  return field.kind === 'password' && password ? (
    <PasswordInput
      field={field}
      value={password}
      problem={problem}
      cannotStore={cannotStore}
      suggestion={suggestedVariable(form, field.name)}
      onChange={(next) => change((now) => withPassword(now, field.name, next), field.name)}
    />
  ) : (
    <div className={field.kind === 'map' || field.name === urlField ? 'span-all' : ''}>
      <ConfigInput
        key={`${form.key} ${form.engine} ${field.kind === 'map' ? form.revision : 0}`}
        field={field}
        value={form.values[field.name]}
        problem={problem}
        onChange={(value) => change((now) => withValue(now, field.name, value), field.name)}
      />
    </div>
  );
};

export const ConnectionForm = ({ open }: { readonly open: OpenForm }) => {
  const { form, touched, showAll, opinion } = open;
  const engines = useStore(appInfo)?.engines ?? [];
  const engine = engines.find(({ id }) => id === form.engine);
  const saved = useStore(connections)?.connections ?? [];
  const groups = [...new Set(saved.flatMap(({ group }) => group ?? []))];
  if (!engine) return null;
  const problemOf = (field: string): string | undefined => {
    const found = opinion?.problems.find((one) => one.field === field);
    return found && (showAll || touched.has(field)) ? errorText(found) : undefined;
  };
  const inputOf = (field: ConfigField) => (
    <EngineField key={field.name} open={open} field={field} problem={problemOf(field.name)} />
  );
  const isGeneral = (field: string | null) => field === null || field === 'ssh' || field === 'socks';
  const general = showAll ? (opinion?.problems.filter(({ field }) => isGeneral(field)) ?? []) : [];
  // The URL field is shown only for a URL that its engine could not split into the other fields.
  const fields = engine.config.filter(({ name }) => name !== urlField || form.values[urlField] !== undefined);
  const advanced = fields.filter((field) => field.advanced === true);
  const set = advanced.filter(({ name }) => form.values[name] !== undefined).length;
  return (
    <div className="connection-fields">
      <GeneralFields open={open} engines={engines} engine={engine} nameProblem={problemOf('name')} />
      <div className="form-grid">{fields.filter((field) => field.advanced !== true).map(inputOf)}</div>
      {general.map(({ message, hint }) => (
        <p key={message} className="help-problem">
          {message} {hint}
        </p>
      ))}
      {engine.inProcess !== true && (
        <>
          <SshFields
            key={form.key}
            value={form.ssh}
            problemOf={problemOf}
            onChange={(part, value) => change((now) => withTunnelPart(now, 'ssh', part, value), `ssh.${part}`)}
          />
          <SocksFields
            key={`socks ${form.key}`}
            value={form.socks}
            problemOf={problemOf}
            onChange={(part, value) => change((now) => withTunnelPart(now, 'socks', part, value), `socks.${part}`)}
            password={
              <EngineField
                open={open}
                field={socksPassword}
                problem={problemOf(socksPasswordField) ?? problemOf('socks.password')}
              />
            }
          />
        </>
      )}
      <ProductionFields
        key={`production ${form.key}`}
        value={form}
        groups={groups}
        onChange={(next) => change((now) => ({ ...now, ...next }))}
      />
      {advanced.length > 0 && (
        <details>
          <summary>{set === 0 ? 'More settings' : `More settings (${set} set)`}</summary>
          <div className="form-grid">{advanced.map(inputOf)}</div>
        </details>
      )}
    </div>
  );
};

import { type LoadHostProblem, loadHostProblems, type SavedLoadHost } from '#model/load-hosts.ts';
import { sshOf, sshText } from '#model/ssh.ts';

/** The typed inputs of a load host. Inputs of the other connection type keep their values. */
export interface HostForm {
  readonly way: 'ssh' | 'bus';
  readonly name: string;
  /** The address: user@host:port. */
  readonly login: string;
  readonly identityFile: string;
  readonly jump: string;
  readonly nats: string;
  readonly credentials: string;
  readonly ca: string;
  readonly agent: string;
}

const empty: HostForm = {
  ...{ way: 'ssh', name: '', login: '', identityFile: '', jump: '', nats: '', credentials: '', ca: '', agent: '' },
};

/** The form of a load host, or of a new host for null. */
export function hostFormOf(host: SavedLoadHost | null): HostForm {
  if (host === null) return empty;
  const { name } = host;
  return 'ssh' in host
    ? { ...empty, name, login: sshText(host.ssh), identityFile: host.ssh.identityFile ?? '', jump: host.ssh.jump ?? '' }
    : {
        ...{ ...empty, way: 'bus', name, nats: host.nats, agent: host.agent },
        ...{ credentials: host.credentials ?? '', ca: host.ca ?? '' },
      };
}

/** The load host that a form describes, whether valid or not. */
export function hostOfForm({
  way,
  name,
  login,
  identityFile,
  jump,
  nats,
  credentials,
  ca,
  agent,
}: HostForm): SavedLoadHost {
  const given = (key: string, value: string) => (value.trim() === '' ? {} : { [key]: value.trim() });
  return way === 'ssh'
    ? {
        name: name.trim(),
        ssh: { ...sshOf(login.trim()), ...given('identityFile', identityFile), ...given('jump', jump) },
      }
    : {
        name: name.trim(),
        nats: nats.trim(),
        ...given('credentials', credentials),
        ...given('ca', ca),
        agent: agent.trim(),
      };
}

/** The problems of a form, by field. `taken` are the names of other load hosts. */
export function hostFormProblems(
  form: HostForm,
  taken: readonly string[],
): ReadonlyMap<LoadHostProblem['field'], string> {
  const needed = { name: form.name, ssh: form.login, nats: form.nats, agent: form.agent };
  const found = new Map<LoadHostProblem['field'], string>();
  for (const { field, message, hint } of loadHostProblems(hostOfForm(form))) {
    const isEmpty = field !== null && needed[field].trim() === '';
    if (!found.has(field)) found.set(field, isEmpty ? 'Needed.' : [message, hint].join(' ').trim());
  }
  if (taken.includes(form.name.trim())) found.set('name', 'Another load host has this name.');
  return found;
}

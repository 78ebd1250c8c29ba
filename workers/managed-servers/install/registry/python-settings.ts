import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Access, withoutCredentials } from './download.ts';
import { readSettings } from './user-settings.ts';

/** The Python index, and the settings for reaching it. */
interface PythonIndex extends Access {
  /** The index's address in PEP 503's form, which ends in a slash. */
  readonly index: string;
}

/** pip's settings of its index, even if pip is missing. The environment has priority. */
export function pythonIndex(environment: NodeJS.ProcessEnv = process.env): PythonIndex {
  const files = [
    '/etc/pip.conf',
    join(homedir(), '.pip', 'pip.conf'),
    join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pip', 'pip.conf'),
    environment.PIP_CONFIG_FILE ?? '',
  ];
  const settings = new Map(files.flatMap((file) => [...readSettings(file, environment)]));
  const of = (name: string) =>
    environment[`PIP_${name.toUpperCase().replaceAll('-', '_')}`] ||
    settings.get(`download.${name}`) ||
    settings.get(`global.${name}`);
  const { address, authorization } = withoutCredentials(of('index-url') ?? 'https://pypi.org/simple');
  return {
    index: address,
    authorization,
    proxy: of('proxy'),
    certificates: of('cert'),
  };
}

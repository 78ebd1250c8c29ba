import { readFileSync } from 'node:fs';

/** Reads settings from files of the form `name = value`; a setting of a section is named "section.name". */
export function readSettings(file: string, environment: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = '';
  for (const line of readLines(file)) {
    const [, name] = /^\s*\[(.+)\]\s*$/.exec(line) ?? [];
    if (name !== undefined) section = `${name}.`;
    const [, key = '', value = ''] = /^\s*([^#;=[\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== '') found.set(`${section}${key}`, expanded(value.replace(/^(["'])(.*)\1$/, '$2'), environment));
  }
  return found;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return []; // Most users have no such file.
  }
}

const expanded = (value: string, environment: NodeJS.ProcessEnv): string =>
  value.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => environment[name] ?? whole);

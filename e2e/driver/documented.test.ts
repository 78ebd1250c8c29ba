import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const [api, document] = [textOf('api.ts'), textOf('../../docs/driver.md')];

test.each(['LaunchOptions', 'Changes', 'Answers', 'PictureOptions', 'WaitOptions', 'Run', 'Dyno'])(
  'docs/driver.md names every member of %s',
  (name) => {
    const [, body = ''] = new RegExp(`^export interface ${name} .*\\{\n([\\s\\S]*?)^\\}`, 'm').exec(api) ?? [];
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member = '']) => member);
    expect(members).not.toEqual([]);
    expect(members.filter((member) => !new RegExp(`\\b${member}\\b`).test(codeOf(document)))).toEqual([]);
  },
);

/** The examples of a document, and what stands between backticks in its text. */
const codeOf = (text: string): string => [...text.matchAll(/```[\s\S]*?```|`[^`]+`/g)].join('\n');

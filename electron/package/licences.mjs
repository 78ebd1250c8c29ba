import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLicence } from './runtime-packages.mjs';

/**
 * The text of THIRD-PARTY.txt: every package with its licence and the texts that its folder has. Equal texts are
 * printed once. `packages` are records with `folder`, or with `texts` and the package that they are `within`. `about`:
 * the first lines.
 */
export function thirdPartyText(packages, about = ofApp) {
  const texts = new Map();
  const lines = new Set();
  for (const { name, version, license, folder, texts: own, within } of packages) {
    const numbers = (own ?? textsIn(folder)).map((text) => {
      if (!texts.has(text)) texts.set(text, texts.size + 1);
      return texts.get(text);
    });
    const where = numbers.length > 0 ? `text ${numbers.join(', ')}` : 'no text in its package';
    const place = within === undefined ? '' : ` (in ${within})`;
    lines.add(`${[name, version].filter(Boolean).join(' ')}${place}: ${license ?? 'licence not declared'}; ${where}`);
  }
  const bodies = [...texts].map(([text, number]) => `${'—'.repeat(40)}\nText ${number}\n\n${text}\n`);
  return [about, '', ...lines, '', ...bodies].join('\n');
}

const ofApp = `Dyno contains these packages. Electron and Chromium, which it also contains, have theirs in LICENSE and
LICENSES.chromium.html beside the program; Node.js has its own in resources/dyno/node/LICENSE.`;

const textsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicence(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').replaceAll('\r\n', '\n').trim())
    .sort();

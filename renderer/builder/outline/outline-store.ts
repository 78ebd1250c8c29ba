import type { Diagnostic } from '#model/text/diagnostic.ts';
import { createStore } from '../../state/store.ts';
import { showProblem } from '../yaml/open-editor.ts';
import { partOf, sectionOf } from './sections.ts';
import { shownPart, shownSection } from './shown-section.ts';

const key = 'dyno.builder.yaml';

/** True if the YAML editor is shown beside the form. The window remembers this choice. */
export const yamlShown = createStore(localStorage.getItem(key) === 'shown');
yamlShown.subscribe(() => localStorage.setItem(key, yamlShown.get() ? 'shown' : 'hidden'));

export const toggleYaml = (): void => yamlShown.update((shown) => !shown);

/** Shows the section of a problem. If the YAML is visible, its editor also shows the place. */
export function goToProblem(problem: Diagnostic): void {
  const section = sectionOf(problem.path);
  const part = partOf(problem.path);
  if (part) shownPart.set(part);
  if (section) shownSection.set(section);
  // The form has no place for text that is not valid YAML.
  else yamlShown.set(true);
  // The editor cannot take the focus before it is visible.
  if (yamlShown.get()) requestAnimationFrame(() => showProblem(problem));
}

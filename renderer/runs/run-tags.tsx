import { Button as AriaButton } from 'react-aria-components/Button';
import type { RunEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import { Icon } from '../ui/icon.tsx';

/** The words by which the list of runs is filtered. */
export const runsFilter = createStore('');

/** Shows the runs that have a tag. */
function showTag(tag: string): void {
  runsFilter.set(`#${tag}`);
  goTo({ page: 'runs' });
}

/** The tags of a run. Each one shows the runs that have it. */
export const RunTags = ({ run: { tags } }: { readonly run: Pick<RunEntry, 'tags'> }) =>
  tags.length === 0 ? null : (
    <span className="run-tags">
      {tags.map((tag) => (
        <AriaButton
          key={tag}
          className="run-tag"
          aria-label={`Show runs with the tag ${tag}`}
          onPress={() => showTag(tag)}
        >
          {tag}
        </AriaButton>
      ))}
    </span>
  );

/** The mark of the pinned baseline. Nothing for other runs. */
export const BaselineMark = ({ run: { isBaseline } }: { readonly run: Pick<RunEntry, 'isBaseline'> }) =>
  isBaseline ? (
    <span className="badge baseline-mark" title="The pinned baseline of this experiment">
      <Icon name="pin" /> Baseline
    </span>
  ) : null;

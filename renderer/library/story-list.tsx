import { Button as AriaButton } from 'react-aria-components/Button';
import type { Story } from '#presentation/stories/story.ts';
import { marksOf } from '#presentation/stories/story-text.ts';
import { goTo } from '../state/navigation.ts';

/** Published stories, each with a link to its page and the number of things that run as written. */
export const StoryList = ({ stories }: { readonly stories: readonly Story[] }) => (
  <section aria-label="Published stories">
    <h2 className="section-title">Published stories</h2>
    <ul className="panel">
      {stories.map((story) => (
        <li key={story.id} className="library-row">
          <div className="grow">
            <AriaButton className="link" onPress={() => goTo({ page: 'story', id: story.id })}>
              {story.title}
            </AriaButton>
            <p className="muted">{story.source}</p>
          </div>
          <span className="muted">{`${marksOf(story).asWritten} of ${story.items.length} run as written`}</span>
          <span className="library-date faint">{story.year}</span>
        </li>
      ))}
    </ul>
  </section>
);

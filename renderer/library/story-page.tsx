import { stories } from '#presentation/stories/stories.ts';
import { storyText } from '#presentation/stories/story-text.ts';
import { goTo } from '../state/navigation.ts';
import { Button } from '../ui/controls/button.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ScrollingPage } from '../ui/display/scrolling-page.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { keptFigures } from './kept-figures.ts';

/** A link of a story leads to the page of an experiment. */
function follow(href: string): void {
  const [, experiment] = /([\w-]+\.dyno\.yaml)$/.exec(href) ?? [];
  if (experiment !== undefined) goTo({ page: 'experiment', id: `gallery:${experiment.replace('.dyno.yaml', '')}` });
}

/** The page of a published story: what was claimed, what to run, and what was measured. */
export const StoryPage = ({ id }: { readonly id: string }) => {
  const story = stories.find((one) => one.id === id);
  if (!story) return null;
  return (
    <>
      <PageHead
        title={story.title}
        mark={<span className="badge">{story.year}</span>}
        subtitle="A published story, and how far you can repeat it."
        actions={<Button onPress={() => goTo({ page: 'experiments' })}>All experiments</Button>}
      />
      <ScrollingPage className="stack" label="About the story">
        <section className="panel">
          <div className="panel-text story-text">
            <Markdown text={storyText(story, keptFigures)} onLink={follow} />
          </div>
        </section>
      </ScrollingPage>
    </>
  );
};

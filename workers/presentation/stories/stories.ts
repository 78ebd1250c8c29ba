import { insertBet } from './insert-bet.ts';
import { oracle } from './oracle.ts';
import { ravendb } from './ravendb.ts';
import { retail } from './retail.ts';
import { sonarqube } from './sonarqube.ts';
import type { Item, Press, Story } from './story.ts';

/** The published stories, in the order of the gallery. */
export const stories: readonly Story[] = [insertBet, sonarqube, retail, oracle, ravendb];

const pressesOf = ({ claims, items }: Story): readonly Press[] =>
  [...claims, ...items].flatMap(({ press }: Pick<Item, 'press'>) => press ?? []);

/** The stories that name an experiment of the gallery. */
export const storiesOf = (experiment: string): readonly Story[] =>
  stories.filter((story) => pressesOf(story).some((press) => press.experiment === experiment));

import { Button as AriaButton } from 'react-aria-components/Button';
import { newConnection } from '../../connections/open-connection.ts';
import { findMaximumUsers, openExperiment } from '../../library/library-actions.ts';
import { galleryEntry } from '../../library/library-store.ts';
import { texts } from '../text.ts';

const openGallery = (name: string) => () => {
  const entry = galleryEntry(name);
  if (entry) void openExperiment(entry);
};

const ways = [
  {
    title: texts.ways.connectMyDatabase,
    text: texts.ways.postgreSQLSqlServerOracleMySQL,
    go: newConnection,
  },
  {
    title: texts.ways.testMySql,
    text: texts.ways.yourStatementsAndParametersOn,
    go: openGallery('custom-statements'),
  },
  {
    title: texts.ways.findMaximumUsers,
    text: texts.ways.howManyCanWorkAt,
    go: findMaximumUsers,
  },
] as const;

/** Where else to begin. */
export const Ways = () => (
  <ul className="home-ways" aria-label={texts.ways.otherWaysToBegin}>
    {ways.map(({ title, text, go }) => (
      <li key={title} className="panel">
        <AriaButton className="home-way" onPress={go}>
          <strong>{title}</strong>
          <span className="muted">{text}</span>
        </AriaButton>
      </li>
    ))}
  </ul>
);

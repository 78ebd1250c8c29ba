import { Button as AriaButton } from 'react-aria-components/Button';
import { newConnection } from '../../connections/open-connection.ts';
import { findMaximumUsers, openExperiment } from '../../library/library-actions.ts';
import { galleryEntry } from '../../library/library-store.ts';
import { texts } from '../text.ts';

/** Shows the statements to be replaced by the user's. */
const testMySql = () => {
  const entry = galleryEntry('custom-statements');
  if (entry) void openExperiment(entry, { section: 'workload' });
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
    go: testMySql,
  },
  {
    title: texts.ways.findMaximumUsers,
    text: texts.ways.howManyCanWorkAt,
    go: findMaximumUsers,
  },
] as const;

/** Other ways to begin. */
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

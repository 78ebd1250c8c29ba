import { Button as AriaButton } from 'react-aria-components/Button';
import { newConnection } from '../../connections/open-connection.ts';
import { findMaximumUsers, openExperiment } from '../../library/library-actions.ts';
import { galleryEntry } from '../../library/library-store.ts';

/** Opens an experiment and shows the statements that the user should replace. */
const testMySql = () => {
  const entry = galleryEntry('custom-statements');
  if (entry) void openExperiment(entry, { section: 'workload' });
};

const ways = [
  {
    title: 'Connect my database',
    text: 'PostgreSQL, SQL Server, Oracle, MySQL, MongoDB, RavenDB, Derby…',
    go: newConnection,
  },
  {
    title: 'Test my SQL',
    text: 'Your statements and parameters, on one server or side by side. Or drop a .sql file here.',
    go: testMySql,
  },
  {
    title: 'Find maximum users',
    text: 'Finds how many users can work at once before p99 exceeds your limit.',
    go: findMaximumUsers,
  },
] as const;

/** Other ways to begin. */
export const Ways = () => (
  <ul className="home-ways" aria-label="Other ways to begin">
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

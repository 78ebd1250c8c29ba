import { Button as AriaButton } from 'react-aria-components/Button';
import { newConnection } from '../../connections/open-connection.ts';
import { compareChange } from '../../library/compare-change/change-file.ts';
import { importFromServer } from '../../library/import-statements/import-statements-dialog.tsx';
import { findMaximumUsers } from '../../library/library-actions.ts';
import { testMySql } from '../../library/test-sql/own-sql.ts';

const ways = [
  {
    title: 'Connect my database',
    text: 'PostgreSQL, SQL Server, Oracle, MySQL, MongoDB, RavenDB, Derby…',
    go: newConnection,
  },
  {
    title: 'Test my SQL',
    text: 'Choose a server, paste your statements and tables, run. Or drop a .sql file here.',
    go: testMySql,
  },
  {
    title: 'New from a server',
    text: 'The statements that your server has counted, and their share of its time.',
    go: importFromServer,
  },
  {
    title: 'Compare a change',
    text: 'Your SQL beside another text, index, setting or version of the server.',
    go: compareChange,
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

import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { PageBoundary, PageFailure } from './page-boundary.tsx';

test('a page that throws is replaced by a message that says what to do', () => {
  const thrown = new DynoError('badInput', 'The run file is damaged.', { hint: 'Open another copy.' });
  expect(PageBoundary.getDerivedStateFromError(thrown)).toEqual({ failure: { thrown } });
  const shown = renderToString(<PageFailure thrown={thrown} onRetry={() => {}} />);
  expect(shown).toContain('The run file is damaged.');
  expect(shown).toContain('Open another copy.');
  expect(renderToString(<PageFailure thrown={new TypeError('x')} onRetry={() => {}} />)).toContain('Try again');
});

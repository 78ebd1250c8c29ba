import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PanelBoundary, PanelFailure } from './panel-boundary.tsx';

test('a panel that throws is replaced by what failed, with the error to copy', () => {
  const thrown = new TypeError('There is no histogram.');
  expect(PanelBoundary.getDerivedStateFromError(thrown)).toEqual({ failure: { thrown } });
  const boundary = new PanelBoundary({ title: 'Latency', children: 'as ever' });
  expect(boundary.render()).toBe('as ever');
  const shown = renderToString(<PanelFailure title="Latency" thrown={thrown} />);
  expect(shown).toContain('“Latency” cannot be shown');
  expect(shown).toContain('There is no histogram.');
  expect(shown).toContain('panel-boundary.test.tsx');
  expect(shown).toContain('Copy');
});

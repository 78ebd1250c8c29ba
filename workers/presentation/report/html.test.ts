import { expect, test } from 'vitest';
import { type Html, html, htmlText, trusted } from './html.ts';

/** A value that a run file may contain in place of a text. */
const fromFile = (json: string): Html => JSON.parse(json) as Html;

test('data that looks like markup is escaped like any other', () => {
  const evil = '<meta http-equiv=refresh content=0>';
  for (const data of [{ markup: evil }, [{ markup: evil }], { '#markup': evil }, [[evil]]])
    expect(htmlText(html`<p>${fromFile(JSON.stringify(data))}</p>`)).not.toContain('<meta');
  expect(htmlText(html`<p>${evil}</p>`)).toBe('<p>&lt;meta http-equiv=refresh content=0&gt;</p>');
});

test('markup of our own stays, in lists, too', () => {
  expect(htmlText(html`<ul>${[html`<li>${'a & b'}</li>`, trusted('<br>')]}${null}${undefined}${0}</ul>`)).toBe(
    '<ul><li>a &amp; b</li><br>0</ul>',
  );
});

import { createRequire } from 'node:module';
import { create } from 'fontkit';
import pdfmake from 'pdfmake';
import { expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { reportContent } from './report-file.ts';

const firstPages = ['answer', 'picture', 'caveats', 'note', 'conditions'] as const;
const pdfOf = async (model: RunModel, appendix: boolean): Promise<Buffer> =>
  Buffer.from(
    await reportContent(model, 'pdf', {
      ...standardChoices,
      ...(appendix ? {} : { sections: firstPages }),
      author: 'Ada',
      note: '',
      history: null,
    }),
  );

/** The dictionaries of a PDF file as text, with the titles of its bookmarks. */
function contentOf(pdf: Buffer) {
  const text = pdf.toString('latin1');
  const titles = [...text.matchAll(/\/Title \((.*?)\)\n/g)].map(([, title = '']) =>
    title.startsWith('\u00fe\u00ff')
      ? Buffer.from(title.slice(2), 'latin1').swap16().toString('utf16le')
      : title.replaceAll('\\', ''),
  );
  return { text, titles, pages: text.match(/\/Type \/Page\n/g)?.length ?? 0 };
}

it('makes a PDF file with pages, bookmarks, language and embedded fonts, and the same file for the same run', async () => {
  const model = { ...madeRun({}), yaml: 'dyno: 1' };
  const pdf = await pdfOf(model, true);
  expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.3');
  const { text, titles, pages } = contentOf(pdf);
  expect(pages).toBeGreaterThan(1);
  expect(pages).toBeLessThanOrEqual(4);
  expect(titles).toEqual(expect.arrayContaining(['Answer', 'Conditions', 'Appendix', 'Results in numbers']));
  expect(text).toContain('/Lang (en)');
  expect(text).toContain('\n(Ada)\n');
  const fonts = [...text.matchAll(/\/FontName \/\w+\+(\S+)/g)].map(([, name]) => name);
  expect(new Set(fonts)).toEqual(new Set(['Inter-Regular', 'Inter-SemiBold', 'JetBrainsMono-Regular']));
  expect(text.match(/\/FontFile2/g)).toHaveLength(fonts.length);
  expect((await pdfOf(model, true)).equals(pdf)).toBe(true);
});

it('needs no file and no address of a hostile run, and runs nothing', async () => {
  const evil = '<image href="file:///etc/passwd"/><script>1</script> (\\) /JavaScript >> endobj 数据库 \u0007 שלום 🙂';
  const run = madeRun({});
  const { plan } = run;
  const model: RunModel = {
    ...run,
    yaml: `${evil}\n${'long'.repeat(2_000)}`,
    plan: {
      ...plan,
      experiment: { ...plan.experiment, name: evil, question: evil },
      variants: plan.variants.map((variant) => ({ ...variant, label: `${variant.label} ${evil}` })),
    },
  };
  const { text, pages } = contentOf(await pdfOf(model, true));
  expect(pages).toBeGreaterThan(1);
  // The title of the file has all characters, also those that the fonts lack.
  expect(text).toContain(Buffer.from('数据库', 'utf16le').swap16().toString('latin1'));
  expect(text.replaceAll(/stream.*?endstream|\([^\n]*\)\n/gs, '')).not.toMatch(
    /\/JavaScript|\/URI|\/Launch|\/EmbeddedFile/,
  );
});

it('writes the report of a run without any result', async () => {
  const model = { ...madeRun({}), yaml: 'dyno: 1' };
  const empty: RunModel = { ...model, status: 'cancelled', trials: [], cells: [] };
  expect(contentOf(await pdfOf(empty, false)).pages).toBeLessThanOrEqual(2);
});

it('draws a point of a number apart from its figures', async () => {
  await pdfOf(madeRun({}), false);
  const { virtualfs } = pdfmake as unknown as { readonly virtualfs: { readFileSync(file: string): Uint8Array } };
  const file = createRequire(import.meta.url).resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf');
  const font = create(Buffer.from(virtualfs.readFileSync(file)));
  const widthOf = (text: string) => ('layout' in font ? font.layout(text).advanceWidth : 0);
  expect(widthOf('0.1')).toBe(widthOf('0') + widthOf('.') + widthOf('1'));
});

import { ruleTitle } from '#analysis/findings/registry.ts';
import { topics } from '#experiment/schema/gallery-card.ts';
import { publishedRatio } from '#experiment/schema/published.ts';
import { sizeTitle } from '#experiment/schema/sizes.ts';
import { formatMs, formatRatio, formatRows } from '#model/format/format.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { alignColumns } from '#presentation/terminal/run-text.ts';
import { formatPublishedValue, sourceText } from '#presentation/text/published-text.ts';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import { openGallery } from '#workspace/library/gallery.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { readDurations } from '#workspace/runs/known-durations.ts';
import { type Command, jsonOption } from '../command.ts';

/** `dyno gallery`: describes the experiments that come with Dyno. */
export const galleryCommand: Command = {
  name: 'gallery',
  arguments: '[NAME]',
  summary:
    'Lists the experiments that come with Dyno, or shows the sizes, published figures and engines of one experiment.',
  options: jsonOption,
  takes: [0, 1],
  async run({ home, positionals: [wanted], values, print, printJson, note }) {
    const pages = await openGallery(openLibrary(home)).pages(readDurations(home));
    const page = pages.find(({ id, name }) => shortName(id) === wanted || name === wanted);
    if (wanted !== undefined && page === undefined) {
      note(`The gallery has no “${wanted}”; dyno gallery lists it.`);
      return exitCodes.badExperiment;
    }
    if (values.json) printJson(page ?? pages);
    else for (const line of page ? pageLines(page) : listLines(pages)) print(line);
    return exitCodes.ok;
  },
};

const shortName = (id: string): string => id.split(':')[1] ?? '';

/** The place of the experiment's group in the gallery. */
const placeOf = ({ card }: GalleryPage): number => (card === null ? topics.length : topics.indexOf(card.topic));

const listLines = (pages: readonly GalleryPage[]): readonly string[] =>
  alignColumns(
    pages
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map(({ id, card, sizes: [written], question }) => [
        shortName(id),
        card?.topic ?? '',
        written ? formatMs(written.seconds.most * 1_000) : '',
        question,
      ]),
    ['left', 'left'],
  );

function pageLines(page: GalleryPage): readonly string[] {
  const { name, question, about, card, factors, sizes, published, engines } = page;
  const expected = (card?.expectedFindings ?? []).map(ruleTitle);
  return [
    name,
    question,
    '',
    about.trim(),
    '',
    ...factors.map((factor) => `${factor.name}: ${factor.levels.join(' · ')}`),
    ...(expected.length === 0 ? [] : [`Expected findings: ${expected.join(', ')}`]),
    '',
    'Sizes:',
    ...sizes.map(
      (size) =>
        `  ${sizeTitle(size.name)}: ${formatRows(size)}, ${size.trials} trials, about ${formatMs(size.seconds.most * 1_000)}${size.note === null ? '' : `. ${size.note}`}`,
    ),
    ...published.flatMap((one) => [
      '',
      `Published: ${sourceText(one)}`,
      ...one.values.map((value) => {
        const ratio = publishedRatio(one, value);
        const what = value.label ?? Object.values(value.levels ?? {}).join(' · ');
        return `  ${what}: ${formatPublishedValue(one, value)}${ratio === null || one.of === 'ratio' ? '' : ` (${formatRatio(ratio)})`}`;
      }),
    ]),
    '',
    'Engines:',
    ...engines.flatMap((engine) => [
      `  ${engine.label} (${engine.target ?? 'a server of your own'}): ${engine.cells} of ${engine.of} variants`,
      ...engine.reasons.map(({ reason, variants }) => `    ${variants.join('; ')}: ${reason}`),
    ]),
  ];
}

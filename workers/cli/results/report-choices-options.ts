import { DynoError } from '#model/error.ts';
import { readGiven } from '#platform/given-file.ts';
import { mostLogoBytes, type ReportChoices, reportSections, standardChoices } from '#protocol/report-choices.ts';
import { text, type Values } from '../command.ts';

const hidden = ['engines', 'hosts'] as const;

/** The options that choose the content of a report. */
export const choicesOptions = {
  sections: {
    type: 'string',
    about: `Sections of a report in HTML, PDF or Markdown, separated by commas: ${reportSections.join(', ')}. Default: all.`,
  },
  title: { type: 'string', about: 'Title of the report. Default: the name of the experiment.' },
  author: { type: 'string', about: 'Name of the person who stands behind the report.' },
  logo: { type: 'string', about: 'Picture beside the title of a report in HTML or PDF: a PNG or SVG file.' },
  hide: {
    type: 'string',
    about:
      'Names that are replaced everywhere, separated by commas: “engines” (with targets and drivers, because some licences forbid publishing benchmarks by name), “hosts” (with addresses, users, databases and paths).',
  },
} as const;

/** The choices that the options name. */
export function reportChoices(values: Values): ReportChoices {
  const sections = listed(values, 'sections', reportSections) ?? standardChoices.sections;
  const hides = listed(values, 'hide', hidden) ?? [];
  const logo = text(values, 'logo');
  return {
    sections: reportSections.filter((name) => sections.includes(name)),
    title: text(values, 'title') ?? '',
    author: text(values, 'author') ?? '',
    logo: logo === undefined ? null : readGiven(logo, mostLogoBytes, 'a logo').toString('base64'),
    hidesEngines: hides.includes('engines'),
    hidesHosts: hides.includes('hosts'),
  };
}

/** The words of an option, each one of `known`. */
function listed<Word extends string>(
  values: Values,
  option: string,
  known: readonly Word[],
): readonly Word[] | undefined {
  const given = text(values, option);
  if (given === undefined) return undefined;
  return given.split(',').map((word) => {
    const found = known.find((one) => one === word.trim());
    if (found === undefined)
      throw new DynoError(
        'badInput',
        `--${option} takes ${known.join(', ')}, separated by commas; “${word}” is none of them.`,
      );
    return found;
  });
}

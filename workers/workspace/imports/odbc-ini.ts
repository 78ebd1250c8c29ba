import { type Found, noEngine, takeOver } from './found.ts';
import { readSections } from './ini.ts';

/** The engines by the names of drivers, or by the paths of their libraries. */
const products: readonly (readonly [driver: RegExp, engine: string])[] = [
  [/psqlodbc|postgres/i, 'postgres'],
  [/myodbc|maodbc|mysql|mariadb/i, 'mysql'],
  [/msodbcsql|sql server|freetds|tdsodbc/i, 'sqlserver'],
  [/sqora|oracle/i, 'oracle'],
];

/** The data sources of an odbc.ini. A driver's name may only be in the section [ODBC Data Sources]. */
export function odbcSources(text: string): readonly Found[] {
  const sections = readSections(text);
  const listed = new Map(
    sections.filter(({ name }) => /^odbc data sources$/i.test(name)).flatMap(({ settings }) => settings),
  );
  return sections
    .filter(({ name }) => name !== '' && !/^(odbc data sources|odbc|default)$/i.test(name))
    .map(({ name, settings }) => {
      const given = new Map(settings.map(([key, value]) => [key.toLowerCase(), value.replace(/^\{(.*)\}$/, '$1')]));
      const driver = [given.get('driver') ?? given.get('driver64') ?? '', listed.get(name) ?? ''];
      const engine = products.find(([words]) => driver.some((word) => words.test(word)))?.[1];
      return engine === undefined
        ? noEngine(name, driver.find((word) => word !== '') ?? '')
        : takeOver(name, engine, given);
    });
}

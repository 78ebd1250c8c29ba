import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** The smallest experiment with this target, for requests about its server: nothing of it runs. */
export const smallestOn = (target: string, language: StatementLanguage['language']): string =>
  `dyno: 1\nname: Statements of a server\nquestion: Which statements does the server count?\nworkload: { operation: statement${language === 'json' ? ', method: bind' : ''} }\nstatements:\n  one: { text: ${language === 'json' ? `'{ "ping": 1 }'` : 'SELECT 1'} }\ntargets: [${JSON.stringify(target)}]\nmeasure: { until: { seconds: 1 } }\n`;

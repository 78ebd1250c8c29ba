import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { copyPrepared, experimentYaml } from '#integration/home.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { foreignWorkLines } from '#protocol/foreign-work.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openConnectionStore } from '../connections/connections.ts';
import { openLibrary } from '../library/library.ts';
import { planContext } from '../library/plan-context.ts';
import { openGate } from './gate.ts';
import { openTrust } from './trust.ts';
import { whatItDoes } from './what-it-does.ts';

const evil = experimentYaml({
  workload: '{ operation: statement, method: bind }',
  statements: `
  harmless: { text: 'SELECT count(*) FROM {table}' }
  wipe:
    text: { default: 'DELETE FROM {table} WHERE payload = :p', sqlite: 'DELETE FROM {table} WHERE payload = :p' }
    parameters: { p: { type: csv, file: names.csv, column: name } }
  alias: { text: 'WITH gone AS (DELETE FROM accounts RETURNING 1) SELECT * FROM gone', isRead: true }`,
  targets: `
  - embedded-postgres
  - { name: far, engine: postgres, host: db.example, user: me, password: '\${env:PGPASSWORD}' }`,
});

let home: Home;
beforeEach(() => {
  home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
  copyPrepared(home);
});
const open = () => openTrust(home, openLibrary(home));

describe('an experiment from elsewhere', () => {
  it('is foreign until the user trusts it, also for the next process', () => {
    expect(open().isForeign(readYaml(evil))).toBe(false);
    open().noteForeign(readYaml(evil));
    expect(open().isForeign(readYaml(evil))).toBe(true);
    open().trust(readYaml(evil));
    expect(open().isForeign(readYaml(evil))).toBe(false);
    open().noteForeign(readYaml(evil));
    expect(open().isForeign(readYaml(evil))).toBe(false);
  });

  it.each(['', '{"foreign": ["ab', '{"foreign": 1}'])('is not trusted because the notes are damaged: %j', (damaged) => {
    open().noteForeign(readYaml(evil));
    writeFileSync(join(home.state, 'trust.json'), damaged);
    expect(() => open().isForeign(readYaml(evil))).toThrow(/trust\.json/);
    expect(() => open().noteForeign(readYaml(evil))).toThrow(/trust\.json/);
    expect(readFileSync(join(home.state, 'trust.json'), 'utf8')).toBe(damaged);
  });

  it.each(['kept', 'damaged', 'gone'])('is known by what the library has, with an index that is %s', (index) => {
    const mine = experimentYaml({ workload: '{ operation: statement }', statements: "{ s: { text: 'SELECT 41' } }" });
    openLibrary(home).save(null, mine);
    open().noteForeign(readYaml(evil));
    if (index === 'damaged') writeFileSync(home.libraryParts, '{"version": "');
    if (index === 'gone') rmSync(home.libraryParts);
    const sent = mine.replace('A test', 'Sent');
    open().noteForeign(readYaml(sent));
    const works = (text: string) => open().isForeign(readYaml(text.replace('Does it run?', 'Does it?')));
    expect(works(mine)).toBe(false);
    expect(works(mine.replace('SELECT 41', 'SELECT 42'))).toBe(false);
    open().noteForeign(readYaml(mine.replace('SELECT 41', 'SELECT 42')));
    expect(works(mine.replace('SELECT 41', 'SELECT 42'))).toBe(true);
    expect(works(mine)).toBe(false);
  });

  it('stays foreign in a copy that says other things elsewhere, and becomes so again where it does other things', () => {
    open().noteForeign(readYaml(evil));
    const changed = evil.replace('rows: 1000', 'rows: 500').replace('A test', 'Mine');
    expect(open().isForeign(readYaml(changed))).toBe(true);
    open().trust(readYaml(evil));
    expect(open().isForeign(readYaml(changed))).toBe(false);
    const worse = evil.replace('FROM accounts', 'FROM customers');
    open().noteForeign(readYaml(worse));
    expect(open().isForeign(readYaml(worse))).toBe(true);
    expect(open().isForeign(readYaml(evil))).toBe(false);
  });

  it('stays foreign in a copy with other comments and another layout', () => {
    const sent = experimentYaml({ targets: '[sqlite]' });
    open().noteForeign(readYaml(sent));
    expect(open().isForeign(readYaml(`# mine now\n\n${sent}`))).toBe(true);
  });

  it.each([
    ['for a target that is called like a key', '{ text: { type: "DELETE FROM orders", default: "SELECT 1" } }'],
    ['for a target that is called text', '{ text: { text: "DELETE FROM orders", default: "SELECT 1" } }'],
    [
      'of a parameter’s query',
      '{ text: "SELECT :text", parameters: { text: { type: query, text: "DELETE FROM orders" } } }',
    ],
    [
      'of a parameter’s query by engine',
      '{ text: "SELECT :file", parameters: { file: { type: query, text: { type: "DELETE FROM orders" } } } }',
    ],
  ])('stays foreign in a copy that keeps a text %s', (_, statement) => {
    const sent = experimentYaml({
      workload: '{ operation: statement, method: bind }',
      statements: `\n  text: ${statement}`,
      targets: '[{ name: type, engine: sqlite }, { name: text, engine: sqlite }, noop]',
    });
    open().noteForeign(readYaml(sent));
    const mine = experimentYaml({
      workload: '{ operation: statement, method: bind }',
      statements: '\n  parameters: { text: "DELETE FROM orders" }',
      targets: '[sqlite]',
    });
    expect(open().isForeign(readYaml(mine))).toBe(true);
    expect(open().isForeign(readYaml(mine.replace('orders', 'other')))).toBe(false);
  });

  it('stays foreign however many other files are opened after it', () => {
    open().noteForeign(readYaml(evil));
    const checks = (file: number) => Array.from({ length: 7_000 }, (_, at) => `  c${at}: { text: "${file} ${at}" }`);
    for (let file = 0; file < 3; file++) open().noteForeign(readYaml(`checks:\n${checks(file).join('\n')}\n`));
    expect(open().isForeign(readYaml(evil))).toBe(true);
  });

  it('is none where the gallery or the library has it', () => {
    const library = openLibrary(home);
    const [first] = library.list();
    open().noteForeign(readYaml(first!.text));
    expect(open().isForeign(readYaml(first!.text))).toBe(false);
    library.save(null, experimentYaml());
    open().noteForeign(readYaml(experimentYaml()));
    expect(open().isForeign(readYaml(experimentYaml()))).toBe(false);
  });

  it('makes no experiment of the user’s foreign that only has its targets by name', () => {
    open().noteForeign(readYaml(experimentYaml({ targets: '[sqlite]', rows: '77' })));
    expect(open().isForeign(readYaml(experimentYaml({ targets: '[sqlite]' })))).toBe(false);
  });
});

it('the file that an experiment came from is kept with its content, over a trust, a rename, a change and a copy', () => {
  const [sent, later] = ['/mail/sent.dyno.yaml', '/mail/later.dyno.yaml'];
  expect(open().originOf(readYaml(evil))).toBeNull();
  open().noteForeign(readYaml(evil), null, sent);
  const came = open().originOf(readYaml(evil));
  expect(came).toEqual({ file: sent, at: expect.stringMatching(/^20\d\d-\d\d-\d\dT/) });
  open().trust(readYaml(evil));
  open().noteForeign(readYaml(evil), null, later);
  expect(open().originOf(readYaml(evil))).toEqual(came);
  const library = openLibrary(home);
  const saved = library.save(null, evil.replace('A test', 'Mine').replace('rows: 1000', 'rows: 10'));
  renameSync(
    join(home.experiments, `${saved.id.split(':')[1]}.dyno.yaml`),
    join(home.experiments, 'renamed.dyno.yaml'),
  );
  expect(open().originOf(readYaml(library.read('mine:renamed').text))).toEqual(came);
  expect(open().originOf(readYaml(experimentYaml({ targets: '[sqlite]' })))).toBeNull();
});

it('the question says which file the experiment came from', () => {
  const file = join(temporaryFolder(), 'sent.dyno.yaml');
  writeFileSync(file, evil);
  const judged = openGate(home).experiment({ file: parseFile(evil), path: file }, false);
  expect('foreign' in judged && foreignWorkLines(judged.foreign).slice(0, 2)).toEqual([
    'It came from:',
    expect.stringMatching(/^ {2}\/.*sent\.dyno\.yaml, on 20\d\d-\d\d-\d\d$/),
  ]);
});

it('what it would do is told by what its texts are, not by what they say of themselves', () => {
  const { plan, diagnostics } = planExperiment(parseFile(evil), planContext());
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const work = whatItDoes(plan!, []);
  expect(work).toMatchObject({
    name: 'A test',
    reads: [{ name: 'harmless', text: 'SELECT count(*) FROM {table}' }],
    files: ['names.csv'],
    variables: ['PGPASSWORD'],
    tables: ['table: 1,000 rows'],
  });
  expect(work.writes.map(({ name }) => name)).toEqual(['wipe', 'alias']);
  expect(work.targets).toEqual([
    'embedded-postgres: built in, on this machine',
    `far: PostgreSQL, host db.example, user me, password \${env:PGPASSWORD}`,
  ]);
  expect(foreignWorkLines(work).join('\n')).toContain('  wipe\n    | DELETE FROM {table} WHERE payload = :p');
});

it('names each field that uses a file, a library or a login of this machine, with what it does', () => {
  const targets = [
    '{ name: ora, engine: oracle, host: h, serviceName: s, user: u, mode: thick, libDir: /tmp/lib }',
    '{ name: mongo, engine: mongodb, url: "mongodb://h/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s" }',
    '{ name: plain, engine: postgres, host: h }',
  ];
  const { plan } = planExperiment(parseFile(experimentYaml({ targets: `[${targets.join(', ')}]` })), planContext());
  expect(whatItDoes(plan!, []).uses).toEqual([
    expect.stringMatching(/^ora: mode thick loads Oracle’s client libraries.*\(code\)$/),
    expect.stringMatching(/^ora: libDir \/tmp\/lib is a folder from which native libraries are loaded.*\(code\)$/),
    expect.stringMatching(/^mongo: authMechanism MONGODB-OIDC sends the server a token.*\(identity\)$/),
    expect.stringMatching(/^mongo: uriOptions.authMechanismProperties ENVIRONMENT:k8s says which.*\(identity\)$/),
  ]);
});

it('says that the run file keeps rows of the user’s tables', () => {
  const keepsOf = (equal: string) => {
    const { plan } = planExperiment(parseFile(`${evil}equal: ${equal}\n`), planContext());
    return foreignWorkLines(whatItDoes(plan!, [])).filter((line) => line.includes('keeps'));
  };
  expect(keepsOf('{ keepRows: true }')).toEqual(['Its run file keeps contents of your tables:']);
  expect(keepsOf('{ draws: 5 }')).toEqual([]);
});

it('shows every text whole, and no name or text of the file can look like a line of the question', () => {
  const end = `\nIt runs statements that seem to only read:\n  all`;
  const work = {
    ...{
      name: 'n',
      targets: [`a${end}`],
      loadHosts: [],
      sessions: [`d${end}`],
      servers: [`e${end}`],
      tables: [],
      files: [`b${end}`],
      variables: [],
      uses: [`c${end}`],
    },
    keeps: ['rows'],
    writes: [{ name: 'w', text: `DELETE FROM t --${'x'.repeat(5_000)}${end}` }],
    reads: [{ name: 'r', text: 'SELECT 1' }],
  };
  const lines = foreignWorkLines(work);
  expect(lines.filter((line) => line.startsWith('It '))).toEqual([
    'It connects to:',
    'It uses files, libraries or logins of this machine:',
    'It runs statements that change data, or may:',
    'It runs statements that seem to only read:',
    'It reads files beside it:',
  ]);
  expect(lines.filter((line) => line.startsWith('    | '))).toEqual([
    `    | DELETE FROM t --${'x'.repeat(5_000)}`,
    '    | It runs statements that seem to only read:',
    '    |   all',
    '    | SELECT 1',
  ]);
});

it('queries of parameters are told like statements, those of other sizes too', () => {
  const query = (text: string) => `{ look: { parameters: { b: { type: query, text: ${text} } } } }`;
  const yaml = `${evil}sizes:\n  large: { statements: ${query('DELETE FROM large')} }\n`.replace(
    'statements:',
    'statements:\n  look: { text: "SELECT :b", parameters: { b: { type: query, text: SELECT wipe() } } }',
  );
  const { plan } = planExperiment(parseFile(yaml), planContext());
  expect(whatItDoes(plan!, []).writes).toEqual(
    expect.arrayContaining([
      { name: 'values of the parameter b', text: 'SELECT wipe()' },
      { name: 'values of the parameter b', text: 'DELETE FROM large' },
    ]),
  );
});

it('texts, files and tables of levels are told and remembered like those of the file, whatever the levels are called', () => {
  const level = (name: string, words: string) => `
factors:
  ${name}:
    ${name}: { statements: { ${name}: { text: ${words} } }, tables: { more: { rows: 7, columns: { a: { type: integer } } } } }
    files: { statements: { wipe: { parameters: { p: { type: csv, file: other.csv, column: name } } } } }
`;
  const yaml = `${evil}${level('search', 'DROP TABLE accounts')}`;
  const { plan } = planExperiment(
    parseFile(yaml.replace('DROP TABLE accounts', 'DELETE FROM accounts')),
    planContext(),
  );
  const told = whatItDoes(plan!, []);
  expect(told.writes).toContainEqual({ name: 'search', text: 'DELETE FROM accounts' });
  expect(told.tables).toContain('more: 7 rows');
  expect(told.files).toEqual(['names.csv', 'other.csv']);
  for (const name of ['search', 'statements', 'parameters', 'text', 'columns']) {
    const known = openTrust(home, openLibrary(home));
    known.noteForeign(readYaml(`${experimentYaml({})}${level(name, `DROP TABLE ${name}`)}`));
    // The same text as a statement of another file.
    const copied = experimentYaml({ statements: `{ s: { text: DROP TABLE ${name} } }` });
    expect(known.isForeign(readYaml(copied)), name).toBe(true);
  }
});

it('conditions and expressions of indexes are told, and make a file foreign like statements', () => {
  const columns = `{ id: { type: sequence }, amount: { type: integer, min: 1, max: 9 } }`;
  const withIndexes = (indexes: string) =>
    experimentYaml({
      workload: '{ operation: statement, method: bind }',
      statements: "\n  look: { text: 'SELECT 1' }",
      targets: '[embedded-postgres]',
    }).replace(
      'workload:',
      `tables:\n  sales: { rows: 10, key: id, columns: ${columns}, indexes: ${indexes} }\nworkload:`,
    );
  const evilIndex = withIndexes(
    `[{ columns: [{ expression: { postgres: 'wipe(amount)', sqlite: 'other(amount)' } }], where: 'allowed(amount)' }]`,
  );
  const { plan, diagnostics } = planExperiment(parseFile(evilIndex), planContext());
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(whatItDoes(plan!, []).writes).toEqual([
    { name: 'an index of sales', text: 'wipe(amount)' },
    { name: 'an index of sales', text: 'allowed(amount)' },
  ]);
  open().noteForeign(readYaml(evilIndex));
  for (const part of ["{ expression: 'wipe(amount)' }", "{ expression: { sqlite: 'wipe(amount)' } }"])
    expect(open().isForeign(readYaml(withIndexes(`[{ columns: [${part}] }]`))), part).toBe(true);
  expect(open().isForeign(readYaml(withIndexes(`[{ columns: [id], where: 'allowed(amount)' }]`)))).toBe(true);
  const harmless = withIndexes(`[{ columns: [id], where: 'amount > 5' }]`).replace('SELECT 1', 'SELECT 2');
  expect(open().isForeign(readYaml(harmless))).toBe(false);
});

it('a setting of sessions that came from elsewhere is told, also that of a size, and stays foreign in another file', () => {
  const sessions =
    'session: { postgres: { jit: off } }\nsizes: { large: { session: { postgres: { work_mem: 9GB } } } }\n';
  const { plan } = planExperiment(parseFile(`${evil}${sessions}`), planContext());
  expect(whatItDoes(plan!, []).sessions).toEqual(['PostgreSQL: jit = off', 'PostgreSQL: work_mem = 9GB']);
  open().noteForeign(readYaml(`${evil}${sessions}`));
  const other = (jit: string) =>
    readYaml(`${experimentYaml({ factors: `{ plans: { a: {}, b: { session: { postgres: { jit: ${jit} } } } } }` })}`);
  expect(open().isForeign(other('off'))).toBe(true);
  expect(open().isForeign(other('on'))).toBe(false);
});

it('a parameter of servers that came from elsewhere is told, and stays foreign in another file', () => {
  const servers =
    'server: { postgres: { fsync: off } }\nsizes: { large: { server: { postgres: { work_mem: 9GB } } } }\n';
  const { plan } = planExperiment(parseFile(`${evil}${servers}`), planContext());
  expect(whatItDoes(plan!, []).servers).toEqual(['PostgreSQL: fsync = off', 'PostgreSQL: work_mem = 9GB']);
  open().noteForeign(readYaml(`${evil}${servers}`));
  const other = (fsync: string) =>
    readYaml(`${experimentYaml({ factors: `{ log: { a: {}, b: { server: { postgres: { fsync: ${fsync} } } } } }` })}`);
  expect(open().isForeign(other('off'))).toBe(true);
  expect(open().isForeign(other('on'))).toBe(false);
});

it('a statement of setup that came from elsewhere is told as a write, also that of a level, and stays foreign in another file', () => {
  const yaml = (text: string, level: string) =>
    JSON.stringify({
      ...{ dyno: 1, name: 'n', question: 'q', dataset: { rows: 1, columns: { id: { type: 'sequence' } } } },
      ...{ workload: { operation: 'insert' }, targets: ['sqlite'], setup: { mine: { sqlite: text } } },
      factors: { with: { a: {}, b: { setup: { text: level }, teardown: { end: { sqlite: 'DROP VIEW {text}' } } } } },
    });
  const [first, second] = ['mine', 'text'].map((name) => `CREATE VIEW {${name}} AS SELECT 1`) as [string, string];
  const { plan } = planExperiment(parseFile(yaml(first, second)), planContext());
  expect(whatItDoes(plan!, []).writes).toEqual([
    { name: 'setup of mine', text: first },
    { name: 'setup of text', text: second },
    { name: 'teardown of end', text: 'DROP VIEW {text}' },
  ]);
  open().noteForeign(readYaml(yaml(first, second)));
  const other = (text: string) => readYaml(yaml('CREATE VIEW {mine} AS SELECT 3', text));
  expect(open().isForeign(other(second))).toBe(true);
  // The teardown is foreign as well.
  expect(open().isForeign(other('CREATE VIEW {text} AS SELECT 3'))).toBe(true);
});

describe('an experiment that an AI agent asks for', () => {
  const onServers = (targets: string) =>
    experimentYaml({
      workload: '{ operation: statement, method: bind }',
      statements: '{ s: { text: SELECT 1 } }',
      targets,
    });
  const values = { host: 'db.example', port: 1, user: 'u', database: 'd', ssl: 'disable' };
  const save = (name: string) =>
    openConnectionStore(home).save({ id: null, name, engine: 'postgres', values, passwords: {} });

  it('may run its own statements on servers that Dyno starts, and stays untrusted', () => {
    const file = parseFile(onServers('[embedded-postgres, sqlite]'));
    const limits = { allowed: ['embedded-postgres', 'sqlite'], isItsText: true };
    expect(openGate(home).forAiAgent({ file }, limits).targets).toHaveLength(2);
    expect('foreign' in openGate(home).experiment({ file }, false)).toBe(true);
    expect(() => openGate(home).forAiAgent({ file }, { ...limits, allowed: ['sqlite'] })).toThrow('not allowed here');
  });

  it('may run on a connection only if the user has written it and allowed the connection', () => {
    save('mine');
    const file = parseFile(onServers('[mine]'));
    const limits = { allowed: ['sqlite', 'mine'], isItsText: false };
    expect(openGate(home).forAiAgent({ file }, limits).targets).toMatchObject([{ name: 'mine' }]);
    expect(() => openGate(home).forAiAgent({ file }, { ...limits, isItsText: true })).toThrow('mine: your connection');
    expect(() => openGate(home).forAiAgent({ file }, { ...limits, allowed: ['sqlite'] })).toThrow('not allowed here');
    openTrust(home, openLibrary(home)).noteForeign(readYaml(onServers('[mine]')));
    expect(() => openGate(home).forAiAgent({ file }, limits)).toThrow('mine: your connection');
  });

  it('names its targets, and never writes one out', () => {
    const limits = { allowed: ['embedded-postgres', 'far'], isItsText: false };
    expect(() => openGate(home).forAiAgent({ file: parseFile(evil) }, limits)).toThrow('writes out its target “far”');
  });
});

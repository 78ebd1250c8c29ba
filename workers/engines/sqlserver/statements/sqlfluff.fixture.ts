import { spawnSync } from 'node:child_process';
import { findPython, pythonPackage } from '#managed-servers/install/tools.ts';

/** A parser of T-SQL that is not the server: sqlfluff, in Python. */
interface Parser {
  /** The error in each statement; null if there is none. */
  check(statements: readonly string[]): readonly (string | null)[];
}

const script = `
import json, sys
from sqlfluff.core import FluffConfig, Linter
linter = Linter(config=FluffConfig(overrides={"dialect": "tsql", "large_file_skip_char_limit": 0, "large_file_skip_byte_limit": 0}))
print(json.dumps([next((str(wrong) for wrong in linter.parse_string(sql).violations), None) for sql in json.load(sys.stdin)]))
`;

/** The installed one (`dyno servers install`), else one that the system's Python knows; null where there is none. */
export function findParser(): Parser | null {
  const folder = pythonPackage('sqlfluff');
  const python = findPython('sqlfluff');
  if (python === null) return null;
  const env = folder === null ? process.env : { ...process.env, PYTHONPATH: folder };
  const run = (code: string, input: string) =>
    spawnSync(python, ['-c', code], { env, input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (folder === null && run('import sqlfluff', '').status !== 0) return null;
  return {
    check(statements) {
      const { status, stdout, stderr } = run(script, JSON.stringify(statements));
      if (status !== 0) throw new Error(`sqlfluff ended with ${status}: ${stderr.slice(-2_000)}`);
      return JSON.parse(stdout) as (string | null)[];
    },
  };
}

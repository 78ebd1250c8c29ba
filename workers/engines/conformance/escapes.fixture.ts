import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigParser } from '#engine-api/config.ts';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import type { ErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { failureOf } from '../shared/failure.fixture.ts';

/** A session as trials have it, for statements that try to reach beyond Dyno's tables. */
export interface Escapist extends AsyncDisposable {
  /** Runs a statement as a trial does. Returns the error of its refusal; null: the statement was executed. */
  attempt(text: string, method?: MethodName): Promise<ErrorData | null>;
}

export async function escapist(
  engine: Engine,
  config: ConfigParser,
  raw: Readonly<Record<string, unknown>>,
  { tables = {}, options: own = {} }: { readonly tables?: PlansByName; readonly options?: Options } = {},
): Promise<Escapist> {
  const database = await engine.open(config.parse(raw), 'dyno-escape', new AbortController().signal);
  const options = { ...optionsFor(engine.descriptor, defaultSettings), ...own };
  const session = await database.openSession(options);
  const failure = failureOf(engine);
  const run = async (text: string, method: MethodName) => {
    const statement = await session.prepareStatement!({ text, method, parameters: [], tables, options, isRead: false });
    return statement.run(statement.encode({ rows: 1, columns: [] }));
  };
  return {
    attempt: (text, method = 'literal') => failure(run(text, method)),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A folder in which every user may write: whatever account a server runs as, an escape would show there. */
export function openFolder(): Disposable & { readonly path: string; readonly entries: () => readonly string[] } {
  const path = mkdtempSync(join(tmpdir(), 'dyno-escape-'));
  chmodSync(path, 0o777);
  return {
    path,
    entries: () => readdirSync(path),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

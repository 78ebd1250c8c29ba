import { copyFile } from 'node:fs/promises';
import type { Home } from '#platform/paths.ts';
import type { Advice } from '#protocol/advice.ts';
import { runFile } from '#workspace/runs/journal-file.ts';
import { openJournal } from '../journal/journal.ts';
import type { Measured } from './measured.ts';

/** Writes advice behind the last record of the run that measured it. */
export async function keepAdvice(home: Home, file: string, advice: Advice): Promise<void> {
  const journal = await openJournal(home, file, 'resume');
  try {
    await journal.commit({ record: 'advice', at: new Date().toISOString(), advice });
  } finally {
    await journal.close();
  }
}

/** Keeps a run of a temporary folder as others are kept. `file`: its path; null: in the home. Returns the path. */
export async function keepRun(home: Home, { file, model }: Measured, path: string | null): Promise<string> {
  const kept = path ?? runFile(home, model.runId);
  await copyFile(file, kept);
  return kept;
}

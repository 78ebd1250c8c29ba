import type { MadeRun } from './findings.fixture.ts';
/**
 * For tests only: a run constructed from published figures, not recorded. A migration of 2019 copied rows into SQL Server at 200 a second while
 * nulls of a DECIMAL column were declared as DECIMAL of another precision, and at 30,000 with them declared as DOUBLE. Plans were not published: one for each
 * statement stands for the claim that it was the declaration.
 */
export declare const typedNullRun: MadeRun;

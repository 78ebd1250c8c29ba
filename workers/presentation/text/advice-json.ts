import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Advice } from '#protocol/advice.ts';
import { stepText } from './advice-steps.ts';

/** Advice for programs, with the other members of the report. */
export const adviceJson = <Report extends Advice>({ advice, ...report }: Report, descriptor: EngineDescriptor) => ({
  ...report,
  advice: advice.map(({ candidate: { kind, title, why, steps, change }, why: reason, ...one }) => ({
    kind,
    title,
    because: why,
    reason,
    ...one,
    statements: steps.map((step) => stepText(step, descriptor)),
    level: change,
  })),
});

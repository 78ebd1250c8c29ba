import type { AdviceReport } from '#analysis/advise/advice-report.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { stepText } from './advice-steps.ts';

/** The result of `dyno advise` for programs. */
export const adviceJson = ({ advice, ...report }: AdviceReport, descriptor: EngineDescriptor) => ({
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

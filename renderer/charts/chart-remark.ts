import { createContext, type ReactNode } from 'react';
import type { RunModel } from '#analysis/run-model/run-model.ts';

/** The remark under every chart of a view. Null without a remark. */
export const ChartRemark = createContext<ReactNode>(null);

/** The run that the charts of a view show. Null outside of a run. */
export const ChartRun = createContext<RunModel | null>(null);

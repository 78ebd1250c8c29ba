import type { CallCounts } from '#protocol/measurement.ts';

/** Connections' time in ending sessions, opening new ones and preparing their statements, ms. */
export const connectingMs = ({ connecting }: Pick<CallCounts, 'connecting'>): number =>
  connecting ? connecting.endMs + connecting.openMs + connecting.prepareMs : 0;

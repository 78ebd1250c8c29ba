/** The start of a run to the minute: "2026-11-03 08:00 UTC". */
export const formatStart = (startedAt: string): string => `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;

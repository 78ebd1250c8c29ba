import { listenAddress, otlpProblem } from '#live-series/addresses.ts';
import type { LiveSeries } from '#live-series/live-series.ts';
import { type CommandContext, text } from '../command.ts';

/** Options of commands whose runs other programs can follow second by second. */
export const liveSeriesOptions = {
  otlp: {
    type: 'string',
    about:
      'Sends live series to this collector by OTLP over HTTP, such as http://127.0.0.1:4318. OTEL_EXPORTER_OTLP_HEADERS of the environment has its token.',
    problem: otlpProblem,
  },
  prometheus: {
    type: 'string',
    about: 'Serves live series for Prometheus at /metrics on this port, on this machine alone, or at HOST:PORT.',
    problem: (value: string) =>
      listenAddress(value) ? null : 'takes a port from 1 to 65535, or HOST:PORT, such as 9464 or 0.0.0.0:9464.',
  },
} as const;

/** The series that the options ask for; null without them. Only the command line asks: no file and no variable does. */
export async function openAskedSeries({ values, note }: CommandContext): Promise<LiveSeries | null> {
  const [otlp, address] = [text(values, 'otlp'), text(values, 'prometheus')];
  if (otlp === undefined && address === undefined) return null;
  // OpenTelemetry's code is loaded with the options alone, because it costs each command time otherwise.
  const { openLiveSeries } = await import('#live-series/live-series.ts');
  const places = { otlp: otlp ?? null, prometheus: address === undefined ? null : listenAddress(address) };
  // The line of progress of a terminal has no end.
  return openLiveSeries(places, (said) => note(process.stderr.isTTY ? `\n${said}` : said));
}

/**
 * Settings for servers that compile their code while they run. They take less of the processor in the first seconds and
 * become less fast in exchange, for tests whose servers live for seconds and are not measured. `npm test` sets the
 * variable (electron/setup/test-steps.mjs).
 */
const isBrief = process.env.DYNO_TEST_BRIEF_SERVERS !== undefined;

/** Arguments of a Java virtual machine. */
export const briefJava: readonly string[] = isBrief ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : [];

/** Environment of .NET. */
export const briefDotnet: Readonly<Record<string, string>> = isBrief
  ? { DOTNET_TieredPGO: '0', DOTNET_TC_CallCounting: '0', DOTNET_gcServer: '0' }
  : {};

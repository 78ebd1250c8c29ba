import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Home } from '#platform/paths.ts';

/** Long enough for a machine that is busy with other tests. */
const timeout = 240_000;

/** The members that answers of tools have; each tool has some of them. */
interface AnswerData {
  readonly run: string;
  readonly status: string;
  readonly answer: readonly string[];
  readonly text: string;
  readonly total: number;
  readonly totalCharacters: number;
  readonly nextOffset: number | null;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** The answer of a tool: its data, or the text of its error. */
interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: AnswerData;
}

/** An agent's client, connected to `dyno mcp` in a process of its own. */
interface Agent extends AsyncDisposable {
  readonly client: Client;
  call(name: string, args?: object, options?: Parameters<Client['callTool']>[1]): Promise<ToolAnswer>;
}

/** The path of the command line. */
export const cliFile = (): string => fileURLToPath(new URL('../../cli.ts', import.meta.url));

/** Starts `dyno mcp` with these options, and connects to it. */
export async function agentOf(home: Home, ...options: readonly string[]): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...process.env, DYNO_HOME: home.root } as Record<string, string>;
  const server = { command: process.execPath, args: [cliFile(), 'mcp', ...options], env };
  await client.connect(new StdioClientTransport(server), { timeout });
  return {
    client,
    async call(name, args = {}, more = {}) {
      const { isError, content, structuredContent } = await client.callTool(
        { name, arguments: { ...args } },
        { timeout, ...more },
      );
      const [first] = content;
      return {
        isError: isError === true,
        text: first?.type === 'text' ? first.text : '',
        data: structuredContent as AnswerData,
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { errorText } from '../errors.ts';
import { protocolSchema } from '../validation/protocol-schema.ts';
import { canAsk, type Decision, type Deletion, decide } from './confirm.ts';

export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
}

/** What a tool answers: a text for the agent, and an object of the API as structured content. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: object;
}

/** What a tool knows about its call. */
export interface ToolCall {
  readonly signal: AbortSignal;
  decide(deletion: Deletion): Decision;
}

/** An error whose message is the tool's answer. */
export class Refusal extends Error {}

export type Registrar = <Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  definition: ToolDefinition<Input, Output>,
  run: (args: z.output<Input>, call: ToolCall) => Promise<ToolAnswer | InputRequiredResult>,
) => void;

/** Registers tools whose failures are results that an agent can act on. */
export const registrarFor =
  (server: McpServer): Registrar =>
  (name, { input, output, ...description }, run) => {
    const callOf = (ctx: ServerContext): ToolCall => ({
      signal: ctx.mcpReq.signal,
      decide: (deletion) => decide(deletion, canAsk(server, ctx), ctx),
    });
    const config = {
      ...description,
      inputSchema: protocolSchema(input),
      outputSchema: protocolSchema(output),
    };
    server.registerTool(name, config, async (args, ctx) => {
      try {
        const answer = await run(args, callOf(ctx));
        return isInputRequiredResult(answer) ? answer : resultOf(answer);
      } catch (error) {
        ctx.mcpReq.signal.throwIfAborted();
        return { isError: true, content: [{ type: 'text', text: errorText(error) }] };
      }
    });
  };

const resultOf = ({ text, data }: ToolAnswer): CallToolResult => ({
  content: [
    { type: 'text', text: [text, ...warningsOf(data).map((warning) => `Warning: ${warning}`)].join('\n') },
  ],
  structuredContent: { ...data },
});

/** What the API finds odd about a request that it carried out, such as a redirect to a post that does not exist yet. */
const warningsOf = (data: object): readonly unknown[] =>
  'warnings' in data && Array.isArray(data.warnings) ? data.warnings : [];

import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface Deletion {
  readonly tool: string;
  /** What would be deleted, in words that a person recognises. */
  readonly what: string;
  /** What `confirm` has to repeat. */
  readonly slug: string;
  readonly confirm: string | undefined;
}

/** Whether to delete; otherwise what to answer: a question to the person, or a refusal. */
export type Decision =
  | { readonly kind: 'delete' }
  | { readonly kind: 'ask'; readonly question: InputRequiredResult }
  | { readonly kind: 'refuse'; readonly reason: string };

/** Asks the person in front of a client that can. For other clients, the agent has to repeat the slug. */
export function decide(deletion: Deletion, canAsk: boolean, ctx: ServerContext): Decision {
  return canAsk ? answerOfPerson(deletion, ctx) : answerOfAgent(deletion);
}

function answerOfPerson({ what, tool }: Deletion, ctx: ServerContext): Decision {
  // The key names what would be deleted, and the blog: an answer cannot be used for another question.
  const key = `${tool}: ${what}`;
  const answer = inputResponse(ctx.mcpReq.inputResponses, key);
  if (answer.kind !== 'elicit') return { kind: 'ask', question: question(key, what) };
  if (answer.action === 'accept' && answer.content?.delete === true) return { kind: 'delete' };
  return {
    kind: 'refuse',
    reason: `Nothing was deleted: the user did not agree to delete ${what}. Do not try again unless they ask for it.`,
  };
}

const question = (key: string, what: string): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: `Delete ${what} for good? This cannot be undone.`,
        requestedSchema: {
          type: 'object',
          properties: { delete: { type: 'boolean', title: 'Delete for good', default: false } },
          required: ['delete'],
        },
      }),
    },
  });

function answerOfAgent({ what, slug, confirm, tool }: Deletion): Decision {
  if (confirm === slug) return { kind: 'delete' };
  const start =
    confirm === undefined ? 'Nothing was deleted.' : `Nothing was deleted: confirm is not "${slug}".`;
  return {
    kind: 'refuse',
    reason: `${start} ${tool} would delete ${what} for good. If the user wants that, call it again with confirm: "${slug}".`,
  };
}

const declaredCapabilities = z.object({
  elicitation: z.object({ form: z.unknown(), url: z.unknown() }).partial().optional(),
});

/** Whether the client of a request can show a form. Before 2026-07-28 it said so once, when the session began. */
export function canAsk(server: McpServer, ctx: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = ctx.mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  const elicitation = declaredCapabilities.safeParse(declared).data?.elicitation;
  // A client that names no mode has forms: that mode came first.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

// What people decide for those who ask them: a question of a person or bot, or what a turn of an agent needs.
import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { FieldSpec } from './agents.ts';

export const decisionKind = z.enum(['question', 'call', 'input', 'login', 'budget', 'permission']);
export const decisionState = z.enum(['open', 'decided', 'expired', 'withdrawn']);

/** What can be chosen. `decline` takes no values of a form. */
export const DecisionOption = z.object({
  id: z.string().describe('what `decide` names as `option`'),
  label: z.string().describe("the option's name for people"),
  style: z.enum(['primary', 'danger']).optional().describe('how its button looks; absent: like any other'),
});

/** Who may decide: every person of the conversation, the owner and admins of the group, or these people. */
export const deciders = z.union([z.enum(['anyone', 'admins']), z.array(z.string())]);

/** The values of a form, by the keys of its fields, each of the JSON type of its field. */
export const FormValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** A call of a tool that a turn of an agent wants to make. */
export const DecisionCall = z.object({
  call_id: z.string().describe('the call, as the part of the reply names it'),
  server: z.string().describe("the server's name"),
  host: z.string().describe('where it is'),
  tool: z.string().describe("the tool's own name"),
  title: z.string().optional().describe('what the tool does, for people'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('what it is called with: in answers to calls of who asked the agent, and in no event'),
  result: z.string().optional().describe('what it returned, as `arguments`'),
  left_out: z
    .literal(true)
    .optional()
    .describe('`arguments` and `result` are left out of this answer: getMessages of this message alone has them'),
  as: z.enum(['asker', 'owner', 'none']).describe('with whose credential'),
  writes: z.boolean().describe('false only if the owner of the agent says that it only reads'),
  reads_to: z
    .array(z.string())
    .describe('usernames of those who will see the reply: people, then other agents; at most 50 of `readers`'),
  readers: z.number().optional().describe('how many will see the reply'),
});

/** A question with its options, and what became of it: the first valid `decide` wins. */
export const Decision = z.object({
  id: z.uuid().describe('what `decide` and `withdrawDecision` name; the id of its message'),
  kind: decisionKind.describe(
    '`question`: of askDecision; the others are what a turn of an agent needs: leave for a call of a tool, input for one, a sign-in, a greater budget, a permission',
  ),
  state: decisionState.describe('`open` until it is decided, its time has run out, or it is taken back'),
  options: z.array(DecisionOption).describe('what can be chosen, in their order'),
  form: z.array(FieldSpec).optional().describe('fields to fill in, whose values go with every option but `decline`'),
  deciders: deciders.describe(
    '`anyone`: every person of the conversation; `admins`: owner and admins of the group; otherwise usernames',
  ),
  private: z
    .literal(true)
    .optional()
    .meta({ description: 'the message exists for the deciders and the account that asked, and for nobody else' }),
  expires_at: isoTime().optional().describe('when it expires if nobody has decided; absent if it does not'),
  decided_by: z.string().optional().meta({ description: 'username of who decided' }),
  option: z.string().optional().describe('id of the chosen option'),
  fields: FormValues.optional().describe('the values of the form that were given'),
  decided_at: isoTime().optional().describe('when it was decided'),
  call: DecisionCall.optional().meta({ description: 'of the kind `call`: what would be run' }),
  login: z
    .object({
      server: z.string().describe('the name of the server of tools'),
      host: z.string().describe('where the server is'),
    })
    .optional()
    .describe('of the kind `login`: the server of tools, and its host, for which a credential is missing'),
  input: z
    .object({
      server: z.string().describe('the name of the server of tools'),
      host: z.string().describe('where the server is'),
      tool: z.string().describe("the tool's own name"),
    })
    .optional()
    .describe('of the kind `input`: the tool that asks for what the form has'),
  budget: z
    .object({
      calls: z.int().optional().describe('how many calls the reply has made'),
      chain: z
        .object({
          replies: z.int().describe('how many replies of agents have followed from one message'),
          message_ids: z.array(z.uuid()).describe('the newest 32 of these replies, oldest first'),
          usage: z
            .object({ input_tokens: z.int(), output_tokens: z.int() })
            .optional()
            .describe('the tokens of all of them, as far as they are reported'),
          agents: z.array(z.string()).describe('usernames of the agents that would go on, at most 32'),
        })
        .optional()
        .describe('of a chain of agents that a limit has stopped'),
    })
    .optional()
    .describe('of the kind `budget`: either what a reply has done with tools, or what a chain of agents has'),
});

export type Decision = z.output<typeof Decision>;
export type DecisionKind = z.output<typeof decisionKind>;
export type DecisionState = z.output<typeof decisionState>;
export type DecisionOption = z.output<typeof DecisionOption>;
export type Deciders = z.output<typeof deciders>;
export type FormValues = z.output<typeof FormValues>;

import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { label, optional, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { isWebUrl } from '../parts.ts';
import { AgentSource } from '../resources.ts';

const title = () =>
  label(limits.sourceTitleBytes)
    .refine((value) => value.trim() !== '', { message: 'is blank' })
    .describe('what it is called');
const sourceId = { source_id: uuid().describe('as getAgentSources names it') };
const access = ['not_found', 'forbidden'] as const;

export const sourceOperations = {
  getAgentSources: operation({
    since: 17,
    summary:
      'The library of an agent, in the order in which it was added to: to its owner with all that is known of each source, to others who may see the agent the names, and the files and addresses that are open. For people only.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ username: username() }),
    result: z.object({ items: z.array(AgentSource) }),
    errors: access,
  }),
  addAgentSource: operation({
    since: 17,
    summary:
      "Adds a file that the caller has uploaded, or a page, to the library of the caller's agent. It is read beside everything else.",
    policy: { scope: 'manage', rate: 'writes' },
    input: withoutCombinations(
      z.object({
        username: username(),
        file_id: optional(uuid()).describe('a file that the caller has uploaded'),
        url: optional(label(limits.sourceUrlBytes).refine(isWebUrl, 'is not an http or https address')).describe(
          'the address of a page, instead of `file_id`',
        ),
        title: optional(title()).describe("by default the name of the file, or the page's own title"),
        open: optional(z.boolean()).describe('whether all who may use the agent may open it; false by default'),
      }),
      ...(['absent', 'given'] as const).map((both) => ({
        when: { file_id: both, url: both },
        at: 'file_id' as const,
        message: 'or url is required, and only one of them',
      })),
    ),
    result: AgentSource,
    errors: [...access, 'conflict', 'too_large'],
  }),
  setAgentSource: operation({
    since: 17,
    summary: 'Changes what a source of an agent of the caller is called, or whether others may open it.',
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({
      ...sourceId,
      title: optional(title()),
      open: optional(z.boolean()).describe('whether all who may use the agent may open it'),
    }),
    result: AgentSource,
    errors: access,
  }),
  readAgentSource: operation({
    since: 17,
    summary: 'Reads a source of an agent of the caller again. Its former text stays until there is a new one.',
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object(sourceId),
    result: AgentSource,
    errors: access,
  }),
  removeAgentSource: operation({
    since: 17,
    summary: 'Removes a source from the library of an agent of the caller, with its text.',
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object(sourceId),
    result: null,
    errors: access,
  }),
} as const;

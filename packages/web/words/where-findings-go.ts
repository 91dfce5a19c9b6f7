import type { Decision, Message } from '@parley/protocol';
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import { t } from './t.ts';

/**
 * Where what a search of all conversations finds goes, beside the reply: somebody else has chosen the agent's model, server
 * and tools (OWN-12). Undefined for other calls, and for an agent of the reader's own.
 */
export function whereFindingsGo(
  { server, tool }: Pick<NonNullable<Decision['call']>, 'server' | 'tool'>,
  { parent_username: owner }: Pick<Message['sender'], 'parent_username'>,
  me: string,
): string | undefined {
  if (server !== OWN_TOOLS || tool !== 'search_my_conversations' || owner === undefined || owner === me)
    return undefined;
  return t(
    'What it finds in your conversations goes to the model and the tools that @{owner} has chosen for this agent.',
    {
      owner,
    },
  );
}

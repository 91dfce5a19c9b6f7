// The resources of /mcp: each conversation, with its newest messages (MCPS-7).
import { isUuid } from '@parley/protocol';

const PREFIX = 'parley://chats/';

interface Chat {
  id: string;
  title: string | null;
  participants: { display_name: string }[];
}

type Perform = (name: 'getChats' | 'getChat' | 'getChatHistory', params: object) => Promise<string>;

const nameOf = ({ title, participants }: Chat): string =>
  title ?? participants.map(({ display_name }) => display_name).join(', ');

export async function listResources(perform: Perform, cursor: string | undefined) {
  const page = JSON.parse(await perform('getChats', cursor === undefined ? {} : { cursor })) as {
    items: Chat[];
    next_cursor?: string;
  }; // what getChats answers
  return {
    resources: page.items.map((chat) => ({
      uri: PREFIX + chat.id,
      name: nameOf(chat),
      mimeType: 'application/json',
    })),
    ...(page.next_cursor !== undefined && { nextCursor: page.next_cursor }),
  };
}

/** The conversation as JSON with its newest messages; undefined for an address that is none of ours. */
export async function readResource(perform: Perform, uri: string) {
  const chat_id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
  if (!isUuid(chat_id)) return undefined;
  const [chat, history] = [await perform('getChat', { chat_id }), await perform('getChatHistory', { chat_id })];
  return { contents: [{ uri, mimeType: 'application/json', text: `{"chat":${chat},"history":${history}}` }] };
}

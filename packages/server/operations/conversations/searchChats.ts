import { conversationsOf } from '../../access/grant-conversations.ts';
import { chatsByName } from '../../conversations/chats-by-name.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { renderedChats } from './rendered-chats.ts';

/** Reads the names of all of the caller's conversations, so each owner may run only one search at a time (SEARCH-18). */
export default read(
  'searchChats',
  async (call, { query, limit }, { nameSearches, texts }: Needs<'nameSearches' | 'texts'>) => {
    const { tx, caller } = call;
    const within = caller.grant && (await conversationsOf(tx, caller.grant));
    const matches = await nameSearches.run(caller.ownerKey, async () =>
      chatsByName(tx, caller.key, { query, limit, within: within?.chats }),
    );
    return { items: (await renderedChats(call, matches, texts)).items };
  },
);

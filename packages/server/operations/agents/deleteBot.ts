import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { endAgent } from '../../people/end-agent.ts';
import { requireOwnBot } from '../../agents/own-bot.ts';

export default unit(
  'deleteBot',
  { locks: everything, addsData: false, audit: ({ username: target }) => ({ target }) },
  async (call, { username }) => endAgent(call, await requireOwnBot(call, username)),
);

import { unit } from '../../call.ts';
import { endAgent } from './end-agent.ts';
import { requireOwnBot } from './own-bot.ts';

export default unit('deleteBot', async (call, { username }) => endAgent(call, await requireOwnBot(call, username)));

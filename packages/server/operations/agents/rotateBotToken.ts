import { preparedUnit } from '../../call.ts';
import { newToken } from '../../secrets/tokens.ts';
import { setBotToken } from '../../store/sessions.ts';
import { requireOwnBot } from './own-bot.ts';

/** The old token ends with the sockets that it opened (BOT-2). */
export default preparedUnit('rotateBotToken', {
  prepare: () => newToken('mb_'),
  async handle(call, { username }, { token, hash }) {
    const bot = await requireOwnBot(call, username);
    await call.tx.run(setBotToken, bot.key, hash);
    call.intend({ type: 'closeAccount', accountKey: bot.key });
    return { token };
  },
});

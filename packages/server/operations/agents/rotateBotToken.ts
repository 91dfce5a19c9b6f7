import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { newToken } from '../../secrets/tokens.ts';
import { setBotToken } from '../../store/sessions.ts';
import { deleteSubscriptionsOf } from '../../store/webhook-subscriptions.ts';
import { askPassword } from '../../people/prove-password.ts';
import { requireOwnBot } from '../../agents/own-bot.ts';

/** Replaces the token, and ends the sockets and subscriptions that the old one opened (BOT-2). */
export default preparedUnit('rotateBotToken', {
  addsData: false,
  withheld: ['password'],
  async prepare(call, { username, password }, rooms: Needs<'read' | 'clock' | 'passwordTries'>) {
    // Callers who do not own the bot get 404 or 403 before the password is checked.
    const { tx, caller } = call;
    if (caller) await requireOwnBot({ tx, caller }, username);
    await askPassword(rooms, call, password);
    return newToken('mb_');
  },
  locks: everything,
  audit: ({ username: target }) => ({ target }),
  async handle(call, { username }, { token, hash }) {
    const bot = await requireOwnBot(call, username);
    await call.tx.run(setBotToken, bot.key, hash);
    await call.tx.run(deleteSubscriptionsOf, bot.key);
    call.intend({ type: 'closeAccount', accountKey: bot.key });
    return { token };
  },
});

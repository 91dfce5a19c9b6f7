import { preparedUnit, type UnitCall } from '../../call.ts';
import { dropOldestTokens, markChatsOf, putToken, tokenCount } from '../../store/notifications.ts';
import { forgetShownOfOldest, forgetShownOfOthers } from '../../store/shown-pushes.ts';
import { currentSessionId } from './current-session.ts';
import { readPushToken } from './push-address.ts';

/** More than this nobody's devices are; the token that was registered longest ago makes room (NOTIF-9). */
const MAX_TOKENS = 50;

export default preparedUnit('registerPushToken', {
  async prepare({ push }, { token, platform = 'ios' }) {
    const address = readPushToken(token, platform);
    if (platform === 'web') await push.guard.admit(address.address);
    return address;
  },
  async handle(call, _input, { platform, address, token }) {
    const { tx, caller, now } = call;
    const sessionId = await currentSessionId(call);
    const before = await countTokens(call);
    await tx.run(forgetShownOfOthers, caller.key, address, platform);
    await tx.run(putToken, platform, address, token, caller.key, sessionId, now);
    // Whoever had one already has all their conversations marked.
    if (before === 0) await tx.run(markChatsOf, caller.key);
    const tooMany = (await countTokens(call)) - MAX_TOKENS;
    if (tooMany <= 0) return;
    await tx.run(forgetShownOfOldest, caller.key, tooMany);
    await tx.run(dropOldestTokens, caller.key, tooMany);
  },
});

const countTokens = async ({ tx, caller }: UnitCall): Promise<number> =>
  (await tx.get(tokenCount, caller.key))?.count ?? 0;

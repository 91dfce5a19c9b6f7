import { account } from '../../commits/lock-names.ts';
import { pushMarks } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { dropTokens, markChatsOf, putToken, tokensNewestFirst } from '../../store/notifications.ts';
import { forgetShownOfOthers, forgetShownOfTokens } from '../../store/shown-pushes.ts';
import { currentSessionId } from '../../people/current-session.ts';
import { readPushToken } from '../../push/push-address.ts';

/** Maximum tokens of an account (NOTIF-9). */
const MAX_TOKENS = 50;
/** Maximum web endpoints of an account at one host, so that no account aims many pushes at one server (NOTIF-11). */
const MAX_PER_HOST = 10;

export default preparedUnit('registerPushToken', {
  async prepare(_call, { token, platform = 'ios' }, { push }: Needs<'push'>) {
    const address = readPushToken(token, platform);
    if (platform === 'web') push.guard.admit(address.address, 'token');
    return address;
  },
  // Locks the account, whose tokens are counted, and the push marks: the first token marks the account's conversations.
  locks: ({ caller }) => [account(caller.key), pushMarks],
  async handle(call, { locale = null }, { platform, address, token }) {
    const { tx, caller, now } = call;
    const sessionId = await currentSessionId(call);
    const before = await tx.all(tokensNewestFirst, caller.key);
    await tx.run(forgetShownOfOthers, caller.key, address, platform);
    await tx.run(putToken, platform, address, token, caller.key, sessionId, now, locale);
    // If the account had a token, its conversations are marked already.
    if (before.length === 0) await tx.run(markChatsOf, caller.key);
    const tooMany = await keysBeyondLimits(call);
    if (tooMany.length === 0) return;
    await tx.list(forgetShownOfTokens, tooMany);
    await tx.list(dropTokens, tooMany);
  },
});

/** The tokens beyond the limits; the newest are kept. */
async function keysBeyondLimits({ tx, caller }: UnitCall): Promise<number[]> {
  const perHost = new Map<string, number>();
  const rows = await tx.all(tokensNewestFirst, caller.key);
  return rows.flatMap(({ key, platform, address }, place) => {
    const host = platform === 'web' ? hostOf(address) : null;
    const atHost = host === null ? 0 : (perHost.get(host) ?? 0) + 1;
    if (host !== null) perHost.set(host, atHost);
    return place >= MAX_TOKENS || atHost > MAX_PER_HOST ? [key] : [];
  });
}

/** Without a final dot: `push.example.` is the same host. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '');

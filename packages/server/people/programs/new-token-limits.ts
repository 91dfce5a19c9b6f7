import { limits } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { accessTokensOf } from '../../store/access-tokens.ts';
import { chatForAccount } from '../../store/chats.ts';

/** Checks that the caller may have one more access token, for these conversations; returns their ids, each once. */
export async function requireNewToken(
  { tx, caller, now }: Pick<UnitCall, 'tx' | 'caller' | 'now'>,
  field: string,
  given: readonly string[] | undefined,
): Promise<string[] | undefined> {
  const chatIds = given && [...new Set(given.map((id) => id.toLowerCase()))];
  for (const id of chatIds ?? []) {
    const chat = await tx.get(chatForAccount, idBytes(id), caller.key);
    if (!chat || chat.role === null) throw notFound('conversation');
  }
  if ((await tx.all(accessTokensOf, caller.key, now)).length >= limits.accessTokens)
    throw invalid(field, `would be access token ${limits.accessTokens + 1} of this account: revoke one first`);
  return chatIds;
}

import { named } from '../../commits/lock-names.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { dropEmoji } from '../../files/emoji.ts';
import { emojiNamed } from '../../store/emoji.ts';
import { unit } from '../handler.ts';

/** Operators delete any emoji with the admin command (ADMIN-17). */
export default unit('deleteEmoji', { locks: () => [named('emoji')], addsData: false }, async (call, { name }) => {
  const emoji = await call.tx.get(emojiNamed, name);
  if (!emoji) throw notFound('emoji');
  if (emoji.account_key !== call.caller.key) throw forbidden('another person has made this emoji');
  await dropEmoji(call, emoji);
  return undefined;
});

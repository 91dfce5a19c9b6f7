// Custom emoji of the instance.
import { limits } from '@parley/protocol';
import { named } from '../../commits/lock-names.ts';
import { conflict, forbidden, invalid } from '../../core/errors.ts';
import { emojiRecord, makePicture, pictureBytesOf } from '../../files/emoji.ts';
import type { Call } from '../../access/call.ts';
import { countEmoji, emojiNamed, insertEmoji } from '../../store/emoji.ts';
import { dropRemoval } from '../../store/files.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default preparedUnit('createEmoji', {
  async prepare({ tx, caller }, { name, file_id: fileId }, { files }: Needs<'files'>) {
    if (caller?.kind !== 'human') throw forbidden('only people make emoji');
    // Before the picture is copied; the unit checks again.
    await assertRoomFor({ tx, caller }, name);
    return makePicture(files, caller, fileId);
  },
  // All emoji are counted.
  locks: () => [named('emoji')],
  async handle({ tx, caller, now }, { name }, { picture, mime_type, size }) {
    await assertRoomFor({ tx, caller }, name);
    await tx.run(insertEmoji, name, caller.key, picture, mime_type, size, now);
    await tx.run(dropRemoval, pictureBytesOf(picture));
    return emojiRecord({ name, account_key: caller.key, picture, mime_type, size, created_at: now }, caller.key);
  },
});

/** Throws if the name is taken, or if there would be too many emoji (EMOJI-2). */
async function assertRoomFor({ tx, caller }: Pick<Call, 'tx' | 'caller'>, name: string): Promise<void> {
  if (await tx.get(emojiNamed, name)) throw conflict('this name is taken');
  const { count = 0, own = 0 } = (await tx.get(countEmoji, caller.key)) ?? {};
  if (own >= limits.customEmojiPerPerson)
    throw invalid('name', `would name emoji ${limits.customEmojiPerPerson + 1} of this account`);
  if (count >= limits.customEmoji) throw invalid('name', `would name emoji ${limits.customEmoji + 1} of the instance`);
}

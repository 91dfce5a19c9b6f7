// Custom emoji of the instance.
import createEmoji from './createEmoji.ts';
import deleteEmoji from './deleteEmoji.ts';
import getEmoji from './getEmoji.ts';

export const emojiHandlers = { createEmoji, deleteEmoji, getEmoji };

import { z } from 'zod';
import { cursor, emojiName, limit, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { CustomEmoji } from '../resources.ts';

export const emojiOperations = {
  getEmoji: operation({
    summary: 'The custom emoji of the instance, by name. In texts and as reactions they are written `:name:`.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ limit: limit(limits.listPage, limits.listPageDefault), cursor: cursor() }),
    result: z.object({ items: z.array(CustomEmoji), next_cursor: z.string().optional() }),
    errors: [],
  }),
  createEmoji: operation({
    summary:
      'Makes a custom emoji for everyone on the instance, from a picture that the caller has uploaded: PNG, GIF, WebP or JPEG. For people: an agent gets `forbidden`.',
    policy: { scope: 'manage', rate: 'uploads' },
    input: z.object({ name: emojiName(), file_id: uuid().describe('id of the uploaded picture') }),
    result: CustomEmoji,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  deleteEmoji: operation({
    summary: 'Deletes a custom emoji that the caller has made. Where it was used, its name is left.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ name: emojiName() }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
} as const;

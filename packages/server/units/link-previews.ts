import type { LinkPreview } from '@parley/protocol';
import type { PreviewRequest } from '../commits/effects.ts';
import { chat, household, named } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, nothing } from '../commits/unit-locks.ts';
import { attachPreview as attach } from '../messages/link-previews.ts';
import { KEPT_MS, type KeptPage } from '../previews/link-previews.ts';
import { forgetPreviewsBefore, putPreview } from '../store/link-previews.ts';

/** Stores what was read of a page, for later messages with the same link (LINK-5). */
export const keepPreview = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, { place, digest, preview }: KeptPage): Promise<void> => {
    await tx.run(putPreview, place, digest, preview && JSON.stringify(preview), now);
  },
);

/** Adds a preview to the message whose link was read. */
export const attachPreview = internalUnit(
  // Locks the conversation (the message) and the household (its stored bytes).
  { locks: ({ input: { request } }) => [chat(request.chatId), household(request.sender)] },
  (call: UnitCall, input: { request: PreviewRequest; preview: LinkPreview }): Promise<void> =>
    attach(call, input.request, input.preview),
);

/** Deletes what was read of pages more than a day ago. */
export const forgetPreviews = internalUnit(
  { locks: () => [named('link previews')] },
  async ({ tx, now }: UnitCall): Promise<void> => {
    await tx.run(forgetPreviewsBefore, now - KEPT_MS);
  },
);

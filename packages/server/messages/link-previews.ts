import type { LinkPreview } from '@parley/protocol';
import type { PreviewRequest } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { fitsQuota } from '../files/storage-quota.ts';
import { firstLink } from '../rules/first-link.ts';
import type { TextReading } from '../rules/text-reading.ts';
import { messageByKey, type MessageRecord, type MessageRow, recordOf } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { privacyOf } from '../store/privacy.ts';
import { changeRecord, moreBytes } from './change-record.ts';

const linkIn = (content: string, reading: TextReading | undefined): string | undefined =>
  reading ? (reading.link ?? undefined) : firstLink(content);

type Linked = Pick<MessageRecord, 'content' | 'link_preview'>;

/**
 * The link of a message for which a preview is to be made (LINK-1). The service requests only links that people write:
 * somebody could make a model write an address that contains secrets of its conversation, and a request would send them
 * to that address (LINK-2).
 */
export async function linkToPreview(
  { tx, caller, settings }: Pick<UnitCall, 'tx' | 'caller' | 'settings'>,
  { content, link_preview }: Linked,
  reading: TextReading | undefined,
): Promise<string | undefined> {
  if (!settings.linkPreviews || caller.kind !== 'human' || link_preview === null) return undefined;
  const link = linkIn(content, reading);
  if (link === undefined || link === link_preview?.url) return undefined;
  return (await privacyOf(tx, caller.key)).link_previews ? link : undefined;
}

/** Has the preview made after the commit. */
export function requestPreview(
  call: Pick<UnitCall, 'caller' | 'intend'>,
  { key: messageKey }: Pick<MessageRow, 'key'>,
  { conversation_id: chatId, content_revision: revision }: Pick<MessageRecord, 'conversation_id' | 'content_revision'>,
  url: string | undefined,
): void {
  const { username: sender, ownerKey } = call.caller;
  if (url !== undefined)
    call.intend({ type: 'previewLink', request: { messageKey, chatId, sender, ownerKey, url, revision } });
}

/** The preview of an edited text: the same link keeps it (LINK-8). */
export const previewAfterEdit = (
  { content, link_preview }: Linked,
  reading: TextReading | undefined,
): Linked['link_preview'] => (link_preview && linkIn(content, reading) !== link_preview.url ? undefined : link_preview);

/** Adds a preview to a message, if the message still wants it. */
export async function attachPreview(
  call: Pick<UnitCall, 'tx' | 'accounts' | 'settings' | 'emit'>,
  { messageKey, revision }: PreviewRequest,
  preview: LinkPreview,
): Promise<void> {
  const row = await call.tx.get(messageByKey, messageKey);
  if (!row || row.deleted_at !== null) return;
  const record = recordOf(row);
  if (record.link_preview !== undefined || record.content_revision !== revision) return;
  // The sender may have turned previews off while the page was read (LINK-9).
  if ((await privacyOf(call.tx, row.sender_key)).link_previews) await setPreview(call, row, record, preview);
}

/** Stores and publishes a preview, or null for none; leaves it out if the sender has no room for it (LIMIT-22). */
export async function setPreview(
  call: Pick<UnitCall, 'tx' | 'accounts' | 'settings' | 'emit'>,
  row: MessageRow,
  former: MessageRecord,
  link_preview: LinkPreview | null,
) {
  const changed = { ...former, link_preview };
  const more = moreBytes(row, changed);
  // Its removal may always be stored.
  if (link_preview !== null && more > 0 && !(await fitsQuota(call, row.sender_key, more)))
    return messageJson(call, row);
  return changeRecord(call, row, changed);
}

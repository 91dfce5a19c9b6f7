import { type Actor, firstBytes, type ReportedMessage } from '@parley/protocol';

/** Maximum of a text in the copy of a report: of the message itself, and of those around it. */
const OWN_BYTES = 16 * 1024;
const AROUND_BYTES = 4 * 1024;

export interface ReportedCopy {
  message: ReportedMessage;
  before: ReportedMessage[];
  after: ReportedMessage[];
}

interface Copied {
  id: string;
  content: string;
  attachments: readonly { kind: string; name?: string | undefined; mime_type?: string | undefined }[];
  created_at: string;
}

/** A message as a report keeps it: the beginning of its text, and the names of what is attached. */
export function reportedMessage(sender: Actor, record: Copied, isOwn: boolean): ReportedMessage {
  const content = firstBytes(record.content, isOwn ? OWN_BYTES : AROUND_BYTES);
  return {
    id: record.id,
    sender,
    content,
    ...(content.length < record.content.length && { is_cut: true as const }),
    attachments: record.attachments.map(({ kind, name, mime_type }) => ({ kind, name, mime_type })),
    created_at: record.created_at,
  };
}

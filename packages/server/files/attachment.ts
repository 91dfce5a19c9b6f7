import type { UploadedFile } from '@parley/protocol';
import { idText } from '../core/ids.ts';
import type { FileRow } from '../store/files.ts';
import { fileUrl, thumbnailUrl } from './signatures.ts';

/**
 * A file as records and replies contain it. Its URLs are unsigned; they are signed in the copy that each reader gets
 * (FILE-5).
 */
export function attachmentOf(file: Omit<FileRow, 'key' | 'account_key' | 'uses' | 'created_at'>): UploadedFile {
  const id = idText(file.id);
  return {
    id,
    kind: file.kind,
    name: file.name,
    mime_type: file.mime_type,
    size: file.size,
    ...(file.width !== null && file.height !== null && { width: file.width, height: file.height }),
    url: fileUrl(id),
    ...(file.thumbnail_size > 0 && { thumbnail_url: thumbnailUrl(id) }),
  };
}

import {
  File,
  FileArchive,
  FileAudio,
  FileCode,
  FileImage,
  FileSliders,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
} from 'lucide-react';
import type { Attachment } from './attachment.ts';
import { documentKind } from './document-kind.ts';

const icons = [
  [/^image\//, FileImage],
  [/^audio\//, FileAudio],
  [/^video\//, FileVideo],
  [/zip|tar|compress/, FileArchive],
  [/^text\/|pdf|document|json/, FileText],
] as const;
const documentIcons = {
  pdf: FileText,
  document: FileText,
  spreadsheet: FileSpreadsheet,
  presentation: FileSliders,
  table: FileSpreadsheet,
  markdown: FileText,
  code: FileCode,
  text: FileText,
};

/** The icon that stands for a file. */
export function fileIcon(attachment: Attachment): LucideIcon {
  const kind = documentKind(attachment);
  if (kind !== null) return documentIcons[kind];
  return icons.find(([pattern]) => pattern.test(attachment.mime_type ?? ''))?.[1] ?? File;
}

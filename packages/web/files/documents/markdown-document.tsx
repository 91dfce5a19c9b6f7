import { parseMarkdown } from '@parley/markdown';
import { useMemo } from 'react';
import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';
import { FormattedText } from './formatted-text.tsx';

interface MarkdownDocumentProps {
  message: ViewedMessage;
  file: Attachment;
  text: string;
}

/** Markdown as the app shows it in messages. */
export function MarkdownDocument({ message, file, text }: MarkdownDocumentProps) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <FormattedText message={message} file={file} blocks={blocks} />;
}

import { ChevronDown } from 'lucide-react';
import { useSession } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { shortTime } from '../../words/times.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import { agentBeside, chatTitle } from '../chat/chat-title.ts';
import type { PaletteItem } from './palette-items.ts';
import styles from './palette.module.css';
import { plainLine } from '../chat/preview.ts';
import { isWorded } from '../../words/written-text.ts';
import { PersonLine } from '../people/person-line.tsx';
import { fileIcon } from '../../files/file-icon.ts';
import type { Attachment } from '../../files/attachment.ts';
import { fileSnippetParts, type SnippetPart, snippetParts } from './snippet.ts';
import { fileOf, type Hit } from './use-message-search.ts';

/** The content of a palette row. */
export function PaletteRow({ item, isScoped }: { item: PaletteItem; isScoped: boolean }) {
  const { username } = useSession();
  switch (item.kind) {
    case 'chat':
      return (
        <>
          <ChatAvatar chat={item.chat} size={32} />
          <span className={styles['title']} dir="auto">
            {chatTitle(item.chat, username)}
          </span>
          <span className={styles['where']}>{agentBeside(item.chat, username)}</span>
        </>
      );
    case 'person':
    case 'sender':
      return (
        <span className="ui-fill">
          <PersonLine who={item.person} size={32} />
        </span>
      );
    case 'message':
      return <MessageHit hit={item.hit} isScoped={isScoped} />;
    case 'more':
      return (
        <>
          <span className={styles['icon']}>
            <ChevronDown aria-hidden />
          </span>
          <span className={styles['where']}>{t('Older messages')}</span>
        </>
      );
    case 'command': {
      const { Icon, title, about } = item.command;
      return (
        <>
          <span className={styles['icon']}>
            <Icon aria-hidden />
          </span>
          <span className={styles['title']}>{title}</span>
          {about === undefined ? null : <span className={styles['where']}>{about}</span>}
        </>
      );
    }
    default:
      return item satisfies never;
  }
}

function MessageHit({ hit, isScoped }: { hit: Hit; isScoped: boolean }) {
  const { store, username } = useSession();
  const { sender, conversation_id, channel_id, created_at } = hit.message;
  const chat = useCell(store.chat(conversation_id));
  const channel = chat?.channels.find(({ id }) => id === channel_id);
  const place = [chat && !isScoped ? chatTitle(chat, username) : '', channel ? `#${channel.title}` : ''];
  const where = place.filter((part) => part !== '').join(' · ');
  const file = fileOf(hit);
  return (
    <>
      <Avatar
        name={sender.display_name}
        username={sender.username}
        kind={sender.kind}
        url={sender.avatar_url}
        size={32}
      />
      <span className="ui-fill">
        <span className={styles['line']}>
          <span className={styles['title']}>{sender.username === username ? t('You') : shownName(sender)}</span>
          {where === '' ? null : <span className={styles['where']}>{t('in {place}', { place: where })}</span>}
          <time className={styles['time']}>{shortTime(created_at)}</time>
        </span>
        {file ? <HitFile file={file} /> : null}
        <span className={styles['snippet']} dir="auto">
          {/* The pieces of one text have no identity besides their position. */}
          {partsOf(hit).map(({ text, isHit }, at) =>
            isHit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </span>
      </span>
    </>
  );
}

/** The file that the words were found in. */
function HitFile({ file }: { file: Attachment }) {
  const Icon = fileIcon(file);
  return (
    <span className={styles['file']}>
      <Icon role="img" aria-label={t('File')} />
      <span className="ui-cut" dir="auto">
        {file.name}
      </span>
    </span>
  );
}

function partsOf({ message, snippet, file_id: fileId }: Hit): readonly SnippetPart[] {
  const file = message.attachments.find(({ id }) => id === fileId);
  // The app shows a Markdown file as it shows a message.
  const isMarkdown = /\.(?:md|markdown)$/i.test(file?.name ?? '');
  if (fileId !== undefined && !isMarkdown) return fileSnippetParts(snippet);
  if (isWorded(message)) return [{ text: plainLine(message, () => undefined), isHit: false }];
  return snippetParts(snippet);
}

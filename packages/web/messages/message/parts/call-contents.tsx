import type { PartOf } from '@parley/protocol';
import { Users } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../../calls/use-loaded.ts';
import { CodeBlock } from '../../../markdown/views/code-block.tsx';
import { ranBy, RanCode } from '../../../markdown/views/ran-code.tsx';
import { useShownMessage } from '../../../markdown/views/shown-message.ts';
import { useSession } from '../../../session/session.ts';
import { useCell } from '../../../session/use-cell.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/overlays/confirm.tsx';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
import { t } from '../../../words/t.ts';
import styles from './parts.module.css';
import { codeOf } from './tool-words.ts';

type ToolPart = PartOf<'tool'>;

/**
 * What a call of the service was given and has answered: fetched when it is unfolded, because no event has it. The person
 * who asked can show it to everybody (CALL-15).
 */
export default function CallContents({ part }: { part: ToolPart }) {
  const { client } = useSession();
  const { messageId } = useShownMessage();
  const { id, status, shared } = part;
  const load = useCallback(async () => {
    const { items } = await client.call('getMessages', { message_ids: [messageId] });
    const found = items[0]?.parts?.find((one) => one.id === id);
    return found?.type === 'tool' ? found : null;
    // Its contents change with its status.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [client, messageId, id, status, shared]);
  const loaded = useLoaded<ToolPart | null>(load);
  return (
    <div className={styles['codes']}>
      {part.title === undefined ? null : <code className={styles['name']}>{part.name}</code>}
      <LoadedView loaded={loaded} label={t('Loading what was sent')}>
        {(found) => <Contents part={part} found={found} />}
      </LoadedView>
    </div>
  );
}

function Contents({ part, found }: { part: ToolPart; found: ToolPart | null }) {
  // What an agent has read in the conversation is not kept, and cannot be shown (OWN-9).
  const isRead = found?.status === 'done' && found.output === undefined;
  const [input, output] = [codeOf(found?.input), codeOf(found?.output)];
  const ran = ranBy(part, found?.input);
  if (found?.input === undefined && found?.output === undefined)
    return (
      <p className="ui-about">
        {t('Only the person who asked can see what was sent and what came back, as long as it is kept.')}
      </p>
    );
  return (
    <>
      {ran ? <RanCode {...ran} /> : input === '' ? null : <CodeBlock info={t('Input')} text={input} isBounded />}
      {output === '' ? null : <CodeBlock info={t('Output')} text={output} isBounded />}
      {found.shared || part.shared || isRead ? null : <Share partId={part.id} />}
    </>
  );
}

/** For the person who asked, where others read along. */
function Share({ partId }: { partId: string }) {
  const { client, store, may } = useSession();
  const { chatId, messageId } = useShownMessage();
  const chat = useCell(store.chat(chatId));
  const [isAsking, setIsAsking] = useState(false);
  const readers = (chat?.people_count ?? 1) - 1;
  if (readers < 1 || !may('shareToolCall')) return null;
  return (
    <div className={styles['share']}>
      <span className="ui-note">{t('Only you see this.')}</span>
      <Button size="small" onClick={() => setIsAsking(true)}>
        <Users aria-hidden /> {t('Show to everyone here')}
      </Button>
      {isAsking ? (
        <Confirm
          title={t('Show this to everyone here?')}
          text={t('Everyone in this conversation will see what was sent and what came back. You can’t take it back.')}
          action={t('Show to everyone')}
          onConfirm={async () => client.call('shareToolCall', { message_id: messageId, part_id: partId })}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  );
}

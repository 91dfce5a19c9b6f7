import type { StoredMessage } from '@parley/client/store';
import type { MessagePlace } from '@parley/protocol';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { Quote } from './quote.tsx';
import { t } from '../../words/t.ts';

/** Shows whose message a reminder of the guide is about, and what it says, and leads to it. */
export function ReminderLink({ message, place }: { message: StoredMessage; place: MessagePlace }) {
  const navigate = useNavigate();
  const chat = useCell(useStore().chat(place.chat_id));
  const { chat_id, channel_id, thread_root_id, message_id } = place;
  const route = chatRoute(chat_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: message_id });
  return (
    <>
      {chat ? <Quote chat={chat} message={message} quotedId={message_id} /> : null}
      <Button size="small" onClick={() => navigate(route)}>
        {t('Show message')}
      </Button>
    </>
  );
}

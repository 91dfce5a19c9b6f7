import type { MessagePlace } from '@parley/protocol';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/t.ts';

/** Leads from a reminder of the guide to the message that it reminds of. */
export function ReminderLink({ place }: { place: MessagePlace }) {
  const navigate = useNavigate();
  const { chat_id, channel_id, thread_root_id, message_id } = place;
  const route = chatRoute(chat_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: message_id });
  return (
    <Button size="small" onClick={() => navigate(route)}>
      {t('Show message')}
    </Button>
  );
}

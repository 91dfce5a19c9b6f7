// Notifying the user on the page and through the service worker. May import: browser to chats (see main.tsx), and the
// types of worker/messages.ts.
import type { EventContext } from '@parley/client';
import type { Message } from '@parley/protocol';
import { MessageCircle } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type NotificationPrefs, useSavedPrefs } from './saved-prefs.ts';
import { useNavigate } from '../browser/navigation.ts';
import { openChatId, usePage } from '../browser/page.ts';
import { chatRoute } from '../browser/route.ts';
import { useSession } from '../session/session.ts';
import { Toast } from '../ui/overlays/toast.tsx';
import { useBlockedNames } from '../chats/people/use-block.ts';
import { knownNames } from '../chats/chat/known-names.ts';
import { inAppNotice, isNews, noticeOf, SeenEnds } from './in-app-notice.ts';
import { mayNotify } from './use-may-notify.ts';
import { MessageSound } from './message-sound.ts';
import { RefusedChanges } from './refused-changes.tsx';

const MAX_SHOWN = 3;
const VIBRATION_MS = 120;

interface Shown {
  readonly id: string;
  readonly chatId: string;
  readonly title: string;
  readonly text: string;
}

/** Sound, vibration and preview for messages outside the open conversation, by the user's preferences (WEB-64). */
export function InAppNotices() {
  const navigate = useNavigate();
  const page = usePage();
  const { client, store, username: me } = useSession();
  const blocked = useBlockedNames();
  const savedPrefs = useSavedPrefs();
  const [sound] = useState(() => new MessageSound());
  const [ends] = useState(() => new SeenEnds());
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const prefs = useRef<NotificationPrefs | null>(null);
  const dismiss = useCallback((id: string) => setShown((all) => all.filter((one) => one.id !== id)), []);

  useEffect(() => {
    // Reload them: another device may have changed them.
    const load = () => {
      if (document.visibilityState !== 'visible') return;
      client.call('getNotificationPrefs').then(
        (loaded) => (prefs.current = loaded),
        () => undefined,
      );
    };
    load();
    document.addEventListener('visibilitychange', load);
    const end = savedPrefs.subscribe((saved) => (prefs.current = saved));
    return () => {
      document.removeEventListener('visibilitychange', load);
      end();
    };
  }, [client, savedPrefs]);

  useEffect(() => {
    void blocked.load().catch(() => undefined);
    async function notify(message: Message) {
      const chat_id = message.conversation_id;
      // The first message of a new conversation can arrive before the conversation.
      if (!store.chat(chat_id).get()) store.putChat(await client.call('getChat', { chat_id }));
      const chat = store.chat(chat_id).get();
      // The preferences may not have loaded if the page was opened offline.
      prefs.current ??= await client.call('getNotificationPrefs');
      if (!chat) return undefined;
      const { username } = message.sender;
      const names = blocked.get();
      const isSeen = document.visibilityState === 'visible';
      const arrival = {
        message,
        chat,
        openChatId: isSeen ? openChatId(page) : null,
        me,
        isBlocked: names !== null && (names.has(username) || names.has(username.split(':', 1)[0] ?? '')),
        prefs: prefs.current,
        now: Date.now(),
        nameOf: knownNames(store, chat),
      };
      if (!isSeen) {
        const notice = prefs.current.device.enabled ? noticeOf(arrival) : null;
        if (notice) await (await import('./tell-device.ts')).tellDevice({ ...notice, message, chat });
        return undefined;
      }
      const { toast, hasSound, vibrates } = inAppNotice(arrival);
      // Browsers allow neither sound nor vibration before the user has interacted with the page.
      const isAllowed = navigator.userActivation.hasBeenActive;
      if (isAllowed && hasSound) sound.play();
      if (isAllowed && vibrates && 'vibrate' in navigator) navigator.vibrate(VIBRATION_MS);
      if (toast) setShown((all) => [...all, { ...toast, id: message.id, chatId: chat.id }].slice(-MAX_SHOWN));
      return undefined;
    }
    const onMessage = (message: Message, { isReplay }: EventContext) => {
      // In the background the device's notifications take over, and pushes if there are any.
      if (isReplay || !isNews(message, me) || (document.visibilityState !== 'visible' && !mayNotify())) return;
      void notify(message).catch(() => undefined);
    };
    const onEnd = (message: Message, context: EventContext) => {
      if (ends.add(message.id)) onMessage(message, context);
    };
    const listeners = [client.on('messageNew', onMessage), client.on('messageComplete', onEnd)];
    return () => {
      for (const end of listeners) end();
    };
  }, [client, store, page, me, blocked, sound, ends]);

  const toasts = shown.map(({ id, chatId, title, text }) => (
    <Toast
      key={id}
      icon={<MessageCircle />}
      title={title}
      text={text}
      onDismiss={() => dismiss(id)}
      onOpen={() => {
        dismiss(id);
        navigate(chatRoute(chatId));
      }}
    />
  ));
  return (
    <>
      <RefusedChanges />
      {toasts}
    </>
  );
}

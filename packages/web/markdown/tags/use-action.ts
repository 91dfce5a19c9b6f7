import { useEffect, useState } from 'react';
import { errorText } from '../../words/error-text.ts';
import { useSession } from '../../session/session.ts';
import { useShownMessage } from '../views/shown-message.ts';

export type ActionState = 'idle' | 'busy' | 'done';

/** How long a button shows that its action succeeded. */
const DONE_MS = 2_500;

/** Sends a button's action or a form's values to the service, which passes them to the agent. */
export function useAction() {
  const { client } = useSession();
  const { chatId, messageId } = useShownMessage();
  const [state, setState] = useState<ActionState>('idle');
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    if (state !== 'done') return undefined;
    const timer = setTimeout(() => setState('idle'), DONE_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function act(action: string, fields?: Record<string, unknown>): Promise<void> {
    setState('busy');
    setError(null);
    try {
      await client.call('sendComponentAction', {
        chat_id: chatId,
        message_id: messageId,
        action,
        ...(fields && { fields }),
      });
      setState('done');
    } catch (cause) {
      setState('idle');
      setError(errorText(cause));
    }
  }
  return { state, error, act };
}

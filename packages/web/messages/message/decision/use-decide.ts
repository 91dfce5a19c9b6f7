import { ApiError } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';
import type { Decision, FormValues } from '@parley/protocol';
import { useState } from 'react';
import { type Submit, useSubmit } from '../../../calls/use-submit.ts';
import { isRecord } from '../../../markdown/tags/tag-values.ts';
import { useSession } from '../../../session/session.ts';

export interface Deciding extends Pick<Submit, 'errorOf' | 'errorBut' | 'clear'> {
  /** As the store or the last answer of the service has it. */
  readonly decision: Decision;
  /** The option that is being sent. */
  readonly sent: string | null;
  /** Somebody or something else ended it before the reader's answer arrived. */
  readonly isLate: boolean;
  readonly decide: (option: string, fields?: FormValues) => Promise<void>;
}

/** Decides, and takes the outcome from the answer: the first valid one wins (DECIDE-5). */
export function useDecide({ id }: StoredMessage, stored: Decision): Deciding {
  const { client } = useSession();
  const [ended, setEnded] = useState<Decision | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const [isLate, setIsLate] = useState(false);
  const { errorOf, errorBut, submit, clear } = useSubmit();

  async function call(option: string, fields: FormValues | undefined): Promise<void> {
    try {
      const { decision } = await client.call('decide', { decision_id: id, option, ...(fields && { fields }) });
      setEnded(decision ?? null);
    } catch (error) {
      const outcome = error instanceof ApiError && error.code === 'conflict' ? error.parameters['decision'] : undefined;
      if (!isRecord(outcome)) throw error;
      setEnded(outcome as Decision); // what the service answers with a conflict
      setIsLate(true);
    }
  }

  return {
    decision: stored.state === 'open' ? (ended ?? stored) : stored,
    sent,
    isLate,
    errorOf,
    errorBut,
    clear,
    async decide(option, fields) {
      setSent(option);
      await submit(async () => call(option, fields));
      setSent(null);
    },
  };
}

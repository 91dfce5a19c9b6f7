import { linkAddress } from '@parley/markdown';
import type { ToolServer } from '@parley/protocol';
import { ExternalLink } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSubmit } from '../calls/use-submit.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';

interface ToolLoginProps {
  /** Username of the agent. */
  agent: string;
  server: Pick<ToolServer, 'name' | 'host' | 'has_credential'>;
  /** The user has come back from the page of the login. */
  onReturn?: () => void;
}

/** Leads to the login's page of a server of tools, in a window of its own (TOOL-21). */
export function ToolLogin({ agent, server: { name, host, has_credential: isDone }, onReturn }: ToolLoginProps) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const [isAway, setIsAway] = useState(false);
  const come = useEffectEvent(() => onReturn?.());
  useEffect(() => {
    if (!isAway) return undefined;
    const back = () => come();
    addEventListener('focus', back);
    return () => removeEventListener('focus', back);
  }, [isAway]);

  async function open() {
    // Browsers open a window only while they handle the press.
    const page = window.open('about:blank', '_blank');
    if (page) page.opener = null;
    const isOpen = await submit(async () => {
      const { url } = await client.call('startToolLogin', { username: agent, server: name });
      const address = linkAddress(url);
      if (address === undefined) throw new TypeError(`not a page: ${url}`);
      if (page) page.location.href = address;
      else location.assign(address);
    });
    if (isOpen) setIsAway(true);
    else page?.close();
  }

  return (
    <div>
      <Button look={isDone ? 'plain' : 'primary'} isBusy={isBusy} onClick={() => void open()}>
        <ExternalLink aria-hidden />{' '}
        {isDone ? t('Sign in again at {host}', { host }) : t('Sign in at {host}', { host })}
      </Button>
      <Problem text={errorBut()} />
    </div>
  );
}

'use client';
import { createClient } from '@parley/client';
import { ParleyProvider } from '@parley/react';
import { type ReactNode, useState } from 'react';

export function Provider({ url, token, children }: { url: string; token: string; children: ReactNode }) {
  const [client] = useState(() => createClient({ url, token, autoConnect: false }));
  return <ParleyProvider client={client}>{children}</ParleyProvider>;
}

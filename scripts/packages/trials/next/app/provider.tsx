'use client';
import { createClient } from '@parley/client';
import { ParleyProvider } from '@parley/react';
import { type ReactNode, useState } from 'react';

interface ProviderProps {
  url: string;
  token: string;
  children: ReactNode;
}

export function Provider({ url, token, children }: ProviderProps) {
  const [client] = useState(() => createClient({ url, token, autoConnect: false }));
  return <ParleyProvider client={client}>{children}</ParleyProvider>;
}

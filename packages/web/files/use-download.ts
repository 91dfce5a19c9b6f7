import { fileAddress } from '@parley/markdown';
import { useState } from 'react';
import type { Attachment } from './attachment.ts';

/** Downloads a file of the service, at an address that it has just given. */
export function useDownload(refresh: () => Promise<Attachment>, name: string) {
  const [isFailed, setIsFailed] = useState(false);
  async function download(): Promise<void> {
    try {
      const url = fileAddress((await refresh()).url ?? '');
      setIsFailed(url === undefined);
      if (url !== undefined) save(url, name);
    } catch {
      setIsFailed(true);
    }
  }
  return { download, isFailed };
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.rel = 'noopener noreferrer';
  link.click();
}

import type { Store, StoredMessage } from '@parley/client/store';
import { useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import type { Attachment } from './attachment.ts';

/** The files of one message are asked for together. */
const SHARED_MS = 30_000;
const asked = new Map<string, Promise<readonly Attachment[]>>();

/**
 * The addresses of a file, which are signed and end after some minutes. `refresh` asks for new ones; `onFail` does so
 * once, and then says that the file cannot be had.
 */
export function useFileAddress(message: StoredMessage, attachment: Attachment) {
  const { store } = useSession();
  const [fresh, setFresh] = useState<Attachment | null>(null);
  const [isLost, setIsLost] = useState(false);
  const hasTried = useRef(false);

  async function refresh(): Promise<Attachment> {
    const found = (await filesOf(store, message.id)).find((file) => isSameFile(file, attachment)) ?? attachment;
    setFresh(found);
    return found;
  }
  function onFail(): void {
    if (hasTried.current) return setIsLost(true);
    hasTried.current = true;
    refresh().then(
      ({ url }) => setIsLost(url === undefined),
      () => setIsLost(true),
    );
    return undefined;
  }
  return { file: fresh ?? attachment, isLost, refresh, onFail };
}

function filesOf(store: Store, messageId: string): Promise<readonly Attachment[]> {
  let files = asked.get(messageId);
  if (!files) {
    files = store.client.api.getMessages({ message_ids: [messageId] }).then(({ items }) => items[0]?.attachments ?? []);
    asked.set(messageId, files);
    const forget = () => void asked.delete(messageId);
    setTimeout(forget, SHARED_MS);
    files.catch(forget);
  }
  return files;
}

const isSameFile = (one: Attachment, other: Attachment): boolean =>
  one.id !== undefined
    ? one.id === other.id
    : one.kind === other.kind && one.name === other.name && one.size === other.size;

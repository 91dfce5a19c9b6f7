import type { Store } from '@parley/client/store';
import { createContext, use, useRef, useState } from 'react';
import { useSession } from '../session/session.ts';
import type { Attachment } from './attachment.ts';

/** How long one answer serves all the files of a message. */
const SHARED_MS = 30_000;

/** Requests for fresh file addresses: one request per message, shared by all its files. */
export class FileRequests {
  readonly #byMessage = new Map<string, Promise<readonly Attachment[]>>();

  filesOf({ client }: Store, messageId: string): Promise<readonly Attachment[]> {
    let files = this.#byMessage.get(messageId);
    if (!files) {
      files = client.api.getMessages({ message_ids: [messageId] }).then(({ items }) => items[0]?.attachments ?? []);
      this.#byMessage.set(messageId, files);
      const forget = () => void this.#byMessage.delete(messageId);
      setTimeout(forget, SHARED_MS);
      files.catch(forget);
    }
    return files;
  }
}

export const FileRequestsContext = createContext<FileRequests | null>(null);

function useFileRequests(): FileRequests {
  const requests = use(FileRequestsContext);
  if (!requests) throw new Error('this component needs a FileRequestsContext around it');
  return requests;
}

/**
 * The signed addresses of a file, which expire after some minutes. `refresh` requests new ones. `onFail` does so once;
 * if the file fails again, `isLost` becomes true, unless `onLoad` was called in between.
 */
export function useFileAddress(messageId: string, attachment: Attachment) {
  const { store } = useSession();
  const requests = useFileRequests();
  const [fresh, setFresh] = useState<Attachment | null>(null);
  const [isLost, setIsLost] = useState(false);
  const hasTried = useRef(false);

  async function refresh(): Promise<Attachment> {
    const found = (await requests.filesOf(store, messageId)).find((file) => isSameFile(file, attachment)) ?? attachment;
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
  function onLoad(): void {
    hasTried.current = false;
  }
  return { file: fresh ?? attachment, isLost, refresh, onFail, onLoad };
}

const isSameFile = (one: Attachment, other: Attachment): boolean =>
  one.id !== undefined
    ? one.id === other.id
    : one.kind === other.kind && one.name === other.name && one.size === other.size;

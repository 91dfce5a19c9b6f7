import { useEffect, useReducer, useRef, useState } from 'react';
import { browserClock } from '../../browser/browser-clock.ts';
import { useSession } from '../../session/session.ts';
import { uploadFile } from './upload-file.ts';
import { uploadFailure } from './upload-failure.ts';
import { UploadQueue } from './upload-queue.ts';
import { afterUploadEvent, type NewUpload, type Upload } from './uploads.ts';

export interface Uploads {
  readonly all: readonly Upload[];
  /** Returns how many of the files were left out, because a message cannot hold more. */
  readonly add: (files: readonly File[]) => number;
  readonly attach: (...uploads: readonly NewUpload[]) => void;
  readonly retry: (upload: Upload) => void;
  /** Removes an upload and cancels it if it is running. */
  readonly remove: (key: string) => void;
  readonly sent: () => void;
}

/** The files of a composer, uploaded through a queue. */
export function useUploads(): Uploads {
  const { client } = useSession();
  const [all, dispatch] = useReducer(afterUploadEvent, []);
  const made = useRef(0);
  const [queue] = useState(
    () =>
      new UploadQueue({
        clock: browserClock,
        tell: dispatch,
        failure: uploadFailure,
        isOffline: () => !navigator.onLine,
        send: (file, way) => uploadFile({ url: client.url, token: client.token, file, ...way }),
      }),
  );
  useEffect(() => {
    const resume = () => queue.resume();
    addEventListener('online', resume);
    return () => {
      removeEventListener('online', resume);
      queue.cancelAll();
    };
  }, [queue]);

  function attach(...added: readonly NewUpload[]): number {
    const uploads = added.map((upload) => ({ ...upload, key: `upload ${(made.current += 1)}` }));
    const taken = afterUploadEvent(all, { type: 'added', uploads }).slice(all.length);
    dispatch({ type: 'added', uploads });
    for (const { key, file } of taken) queue.add(key, file);
    return uploads.length - taken.length;
  }

  return {
    all,
    add: (files) => attach(...files.map((file) => ({ file }))),
    attach,
    retry({ key, file }) {
      dispatch({ type: 'retried', key });
      queue.add(key, file);
    },
    remove(key) {
      queue.cancel(key);
      dispatch({ type: 'removed', key });
    },
    sent() {
      dispatch({ type: 'sent' });
    },
  };
}

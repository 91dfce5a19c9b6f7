import { ApiError } from '@parley/client';
import { useEffect, useReducer, useRef } from 'react';
import { errorText } from '../app/error-text.ts';
import { useSession } from '../app/session.ts';
import { uploadFile } from './upload-file.ts';
import { afterUploadEvent, type Upload } from './uploads.ts';

export interface Uploads {
  readonly all: readonly Upload[];
  readonly add: (files: readonly File[]) => void;
  readonly retry: (upload: Upload) => void;
  /** Takes it out; one on its way is given up. */
  readonly remove: (key: string) => void;
  readonly sent: () => void;
}

let made = 0;

/** The files of a composer, each uploaded as soon as it is chosen. */
export function useUploads(): Uploads {
  const { client, token } = useSession();
  const [all, tell] = useReducer(afterUploadEvent, []);
  const ways = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const open = ways.current;
    return () => {
      for (const way of open.values()) way.abort();
    };
  }, []);

  function begin(key: string, file: File) {
    const way = new AbortController();
    ways.current.set(key, way);
    const onProgress = (progress: number) => tell({ type: 'progressed', key, progress });
    uploadFile({ url: client.url, token, file, onProgress, signal: way.signal }).then(
      (uploaded) => tell({ type: 'done', key, uploaded }),
      (error: unknown) => tell({ type: 'failed', key, error: uploadError(error) }),
    );
  }

  return {
    all,
    add(files) {
      const uploads = files.map((file) => ({ key: `upload ${(made += 1)}`, file }));
      const taken = afterUploadEvent(all, { type: 'added', uploads }).slice(all.length);
      tell({ type: 'added', uploads });
      for (const { key, file } of taken) begin(key, file);
    },
    retry({ key, file }) {
      tell({ type: 'retried', key });
      begin(key, file);
    },
    remove(key) {
      ways.current.get(key)?.abort();
      ways.current.delete(key);
      tell({ type: 'removed', key });
    },
    sent() {
      ways.current.clear();
      tell({ type: 'sent' });
    },
  };
}

function uploadError(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'too_large') return errorText(error);
  const most = Number(/(\d+) bytes/.exec(error.description)?.[1] ?? 0);
  return most > 0 ? `Too large. At most ${Math.floor(most / 1_048_576)} MB can be sent.` : 'Too large to be sent.';
}

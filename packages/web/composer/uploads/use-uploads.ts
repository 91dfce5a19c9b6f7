import { use, useMemo, useSyncExternalStore } from 'react';
import type { Place } from '../composing/composing.ts';
import { type UploadBox, UploadBoxesContext } from './upload-box.ts';
import type { NewUpload, Upload } from './uploads.ts';

export interface Uploads extends Pick<UploadBox, 'attach' | 'retry' | 'remove' | 'sent' | 'waiting' | 'whenLeft'> {
  readonly all: readonly Upload[];
  /** Returns how many of the files were left out, because a message cannot hold more. */
  readonly add: (files: readonly File[]) => number;
}

/** The files of a composer. They stay while another conversation is open (WEB-505). */
export function useUploads(place: Place): Uploads {
  const boxes = use(UploadBoxesContext);
  if (!boxes) throw new Error('this component needs an UploadBoxesContext around it');
  const box = useMemo(() => boxes.at(place), [boxes, place]);
  const all = useSyncExternalStore(box.subscribe, box.get);
  const { attach, retry, remove, sent, waiting, whenLeft } = box;
  return {
    all,
    add: (files) => attach(...files.map((file): NewUpload => ({ file }))),
    attach,
    retry,
    remove,
    sent,
    waiting,
    whenLeft,
  };
}

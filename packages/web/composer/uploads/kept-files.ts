import { KeptUploads } from '../../session/kept-uploads.ts';
import type { Upload, UploadEvent } from './uploads.ts';

/** The files of the session's composers that the browser keeps. Loads with the first of them. */
export class KeptFiles extends KeptUploads {
  /** What the browser keeps is the same as what the composer shows (WEB-740). */
  after(event: UploadEvent, before: readonly Upload[]): void {
    switch (event.type) {
      case 'begun':
        return this.change(event.key, { address: event.address });
      case 'done':
        return this.change(event.key, { uploaded: event.uploaded });
      case 'failed':
        return event.mayRetry ? undefined : this.drop(event.key);
      case 'removed':
        return this.drop(event.key);
      case 'sent':
        return before.forEach(({ key }) => this.drop(key));
      default:
        return undefined;
    }
  }
}

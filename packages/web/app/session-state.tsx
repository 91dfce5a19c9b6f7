import { type ReactNode, useEffect, useState } from 'react';
import { SoughtWords, SoughtWordsContext } from '../chats/palette/sought-words.ts';
import { BlockedNames } from '../chats/people/blocked-names.ts';
import { BlockedNamesContext } from '../chats/people/use-block.ts';
import { Composings, ComposingsContext } from '../composer/composing/composing.ts';
import { UploadBoxes, UploadBoxesContext } from '../composer/uploads/upload-box.ts';
import { FileRequests, FileRequestsContext } from '../files/use-file-address.ts';
import { ViewerPlace } from '../files/viewer/viewer-place.tsx';
import { SavedPrefs, SavedPrefsContext } from '../notifications/saved-prefs.ts';
import { useSession } from '../session/session.ts';

/** Creates what the rooms keep for one session, and provides it to them. */
export function SessionState({ children }: { children: ReactNode }) {
  const session = useSession();
  const { client } = session;
  const [composings] = useState(() => new Composings());
  const [blockedNames] = useState(() => new BlockedNames(client));
  const [soughtWords] = useState(() => new SoughtWords());
  const [savedPrefs] = useState(() => new SavedPrefs());
  const [fileRequests] = useState(() => new FileRequests());
  const [uploadBoxes] = useState(() => new UploadBoxes(session));
  useEffect(() => {
    const { restore, resume, close } = uploadBoxes;
    restore();
    addEventListener('online', resume);
    return () => {
      removeEventListener('online', resume);
      close();
    };
  }, [uploadBoxes]);
  return (
    <ComposingsContext value={composings}>
      <BlockedNamesContext value={blockedNames}>
        <SoughtWordsContext value={soughtWords}>
          <SavedPrefsContext value={savedPrefs}>
            <FileRequestsContext value={fileRequests}>
              <UploadBoxesContext value={uploadBoxes}>
                <ViewerPlace>{children}</ViewerPlace>
              </UploadBoxesContext>
            </FileRequestsContext>
          </SavedPrefsContext>
        </SoughtWordsContext>
      </BlockedNamesContext>
    </ComposingsContext>
  );
}

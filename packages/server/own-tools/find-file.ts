import { idBytes, idText } from '../core/ids.ts';
import { isOfStrangers } from '../rules/strangers.ts';
import { fileInMessage, type FilePlace, filePlacesById, filePlacesByName, type FileRow } from '../store/files.ts';
import { mark } from '../store/messages.ts';
import type { TurnRow } from '../store/turns.ts';
import type { OwnToolNeeds } from './own-tools.ts';
import { Misuse } from './tool-arguments.ts';

type Reads = Pick<OwnToolNeeds, 'read'>;

export interface FoundFile {
  file: FileRow;
  place: FilePlace;
}

export const noSuchFile = (name?: string): Misuse =>
  new Misuse(`There is no ${name === undefined ? 'such file' : `file ${JSON.stringify(name)}`} in this conversation.`);

/** The newest message of the conversation with this file that both asker and agent see now (OWN-3). */
export async function findFile(
  needs: Reads,
  turn: TurnRow,
  { name = '', id }: { name?: string | undefined; id?: string | undefined },
): Promise<FoundFile | undefined> {
  const { read } = needs;
  const places =
    id === undefined
      ? await read.all(filePlacesByName, turn.chat_key, name)
      : await read.all(filePlacesById, turn.chat_key, idBytes(id));
  for (const place of places) {
    const file = await visibleFile(needs, turn, place);
    if (file) return { file, place };
  }
  return undefined;
}

export const visibleFile = ({ read }: Reads, { human_key: asker, agent_key: agent }: TurnRow, place: FilePlace) =>
  read.get(fileInMessage, idBytes(idText(place.id)), place.message_key, asker, agent);

/** Whether others than the asker have sent the file, or it was forwarded (OWN-5). */
export const isFileOfStrangers = ({ sender_key: senderKey, marks }: FilePlace, turn: TurnRow): boolean =>
  isOfStrangers({ senderKey, isForwarded: (marks & mark.forwarded) !== 0 }, turn);

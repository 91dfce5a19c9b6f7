import { addNote, noteRecord } from '../../agents/notes.ts';
import { remembers } from '../../agents/load-run-config.ts';
import { inChat, ofCaller } from '../../commits/unit-locks.ts';
import { forbidden } from '../../core/errors.ts';
import { ownerConfig } from '../../store/bot-config.ts';
import { unit } from '../handler.ts';
import { requirePlace } from './require-place.ts';

/** A note that a person writes by hand (NOTE-4). Locks the place, whose notes are counted. */
export default unit(
  'createNote',
  { locks: (request) => [...inChat(request), ...ofCaller(request)] },
  async (call, input) => {
    const { agent, place } = await requirePlace(call, input);
    if (!remembers(await call.tx.get(ownerConfig, agent.key))) throw forbidden('this agent remembers nothing');
    return noteRecord(await addNote(call, place, { text: input.text, writerKey: call.caller.key, isByAgent: false }));
  },
);

import type { Timeline } from '@parley/client/store';
import { useSession } from '../session/session.ts';
import type { Completion, Option } from './completion/use-completion.ts';
import { type Composing, type Place, useComposings } from './composing/composing.ts';
import { keyMeaning } from './keys.ts';

interface KeysInput {
  place: Place;
  timeline: Timeline;
  composing: Composing;
  completion: Completion;
  text: string;
  onChoose: (option: Option) => void;
  onSubmit: () => void;
  /** Returns whether the new line is more than a line end. */
  onNewLine: () => boolean;
}

/** Handles the keys of the text field. The returned function says whether the composer handled a key. */
export function useKeys(input: KeysInput): (event: KeyboardEvent) => boolean {
  const { place, timeline, composing, completion, text, onChoose, onSubmit, onNewLine } = input;
  const { store, username } = useSession();
  const composings = useComposings();
  const { options, active } = completion;
  const { replyTo, editing } = composing;

  function editLast(): boolean {
    const own = timeline.get().ids.findLast((id) => {
      const message = store.message(id).get();
      return (
        message?.sender.username === username &&
        !message.outbox &&
        !message.service &&
        !message.poll &&
        !message.decision
      );
    });
    const message = own === undefined ? undefined : store.message(own).get();
    if (message) composings.set(place, { editing: message.id });
    return message !== undefined;
  }

  return (event) => {
    const meaning = keyMeaning(event, { isListOpen: options.length > 0, hasActive: active >= 0, isEmpty: text === '' });
    switch (meaning) {
      case 'next':
      case 'previous':
        completion.activate((active + (meaning === 'next' ? 1 : -1) + options.length) % options.length);
        return true;
      case 'choose': {
        const option = options[Math.max(0, active)];
        if (option) onChoose(option);
        return true;
      }
      case 'close':
        completion.close();
        return true;
      case 'cancel':
        if ((replyTo ?? editing) === null) return false;
        composings.set(place, {});
        return true;
      case 'edit-last':
        return editing === null && editLast();
      case 'send':
        onSubmit();
        return true;
      case 'new-line':
        return onNewLine();
      case null:
        return false;
      default:
        return meaning satisfies never;
    }
  };
}

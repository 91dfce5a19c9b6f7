import { useEffect, useEffectEvent } from 'react';
import { isCovered } from '../../browser/covers.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';

/**
 * Alt with an arrow key opens the previous or next conversation of the list, with Shift the previous or next one with
 * unread messages. Behind an open dialog the keys do nothing.
 */
export function useStepKeys(ids: readonly string[], openId: string | null): void {
  const navigate = useNavigate();
  const store = useStore();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, shiftKey, ctrlKey, metaKey, isComposing, target } = event;
    const step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (step === undefined || !altKey || ctrlKey || metaKey || isComposing || event.defaultPrevented) return;
    if (isCovered()) return;
    // There Alt with an arrow opens a list of choices.
    if (target instanceof HTMLSelectElement) return;
    event.preventDefault();
    const at = openId === null ? -1 : ids.indexOf(openId);
    // Without an open conversation both keys begin at the top of the list.
    const before = ids.slice(0, Math.max(0, at)).toReversed();
    const ahead = step < 0 && at >= 0 ? before : ids.slice(at + 1);
    const next = ahead.find((id) => !shiftKey || (store.chat(id).get()?.unread_count ?? 0) > 0);
    if (next !== undefined) navigate(chatRoute(next));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

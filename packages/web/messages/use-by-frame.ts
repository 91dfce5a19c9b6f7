import { useEffect, useRef, useState } from 'react';

/** A value that changes often, once a frame; at once when it is not `isLive`. */
export function useByFrame<Value>(value: Value, isLive: boolean): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const frame = useRef<number | null>(null);

  useEffect(() => {
    latest.current = value;
    if (!isLive || frame.current !== null) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = null;
      setShown(latest.current);
    });
  }, [value, isLive]);
  useEffect(
    () => () => {
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      frame.current = null;
    },
    [],
  );
  return isLive ? shown : value;
}

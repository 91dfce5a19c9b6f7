import { useEffect, useState } from 'react';

/** Debounces a value: returns the latest one that stayed the same for `ms`. */
export function usePaused<Value>(value: Value, ms = 220): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return paused;
}

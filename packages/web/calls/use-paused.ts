import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while: what is typed, say, once somebody pauses. */
export function usePaused<Value>(value: Value, ms = 220): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return paused;
}

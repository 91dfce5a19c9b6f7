// Private keys that the service has made for itself, sealed (NOTIF-12).
import { statement } from './sql.ts';

export const serviceKey = statement<{ sealed: string }, [name: string]>(
  'SELECT sealed FROM service_keys WHERE name = $1',
);
/** Changes nothing if there is one with this name. */
export const addServiceKey = statement<never, [name: string, sealed: string]>(
  'INSERT INTO service_keys (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);

/** A page of all keys, after a name. */
export const sealedServiceKeys = statement<{ name: string; sealed: string }, [after: string, limit: number]>(
  'SELECT name, sealed FROM service_keys WHERE name > $1 ORDER BY name LIMIT $2',
);
export const resealServiceKey = statement<never, [name: string, former: string, sealed: string]>(
  'UPDATE service_keys SET sealed = $3 WHERE name = $1 AND sealed = $2',
);

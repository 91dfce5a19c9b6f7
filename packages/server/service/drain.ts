import type { Service } from './service.ts';

/** A service that stops lets pushes that are being sent end within this time. */
const PUSH_PATIENCE_MS = 2_000;
/** … and waits so long until nothing is being stored. */
const IDLE_PATIENCE_MS = 5_000;

/** Takes nothing new, gives turns up to `patienceMs`, ends the rest, closes the sockets (DRAIN-1). */
export async function drain(service: Service, patienceMs: number, hasOthers: boolean): Promise<void> {
  const { clock, streams, turns, push } = service;
  service.isDraining = true;
  service.inlineQueries.close();
  // Where there are other nodes, whoever is connected follows there what is still being written here.
  if (hasOthers) await cutOff(service);
  const patience = Promise.withResolvers<void>();
  const timer = patienceMs > 0 ? clock.setTimer(patience.resolve, patienceMs) : patience.resolve();
  await turns.drain(patience.promise);
  timer?.cancel();
  await Promise.all([...streams.all()].map((stream) => streams.checkpoints.attempt(stream)));
  service.typing.endAll();
  await cutOff(service);
  await push.stop(Math.min(patienceMs, PUSH_PATIENCE_MS));
}

/** What is being stored is answered, and told, before anybody is cut off. */
async function cutOff({ clock, units, hub, sockets }: Service): Promise<void> {
  const tooLong = Promise.withResolvers<void>();
  const timer = clock.setTimer(tooLong.resolve, IDLE_PATIENCE_MS);
  // While replies are written there is always something being stored.
  await Promise.race([units.idle(), tooLong.promise]);
  timer.cancel();
  hub.flush();
  await sockets.closeAll(1012, 'the service restarts');
}

import type { Service } from './interface.ts';

/** How long a stopping service waits for pushes that are being sent. */
const PUSH_PATIENCE_MS = 2_000;
/** How long it waits until nothing is being stored. */
const IDLE_PATIENCE_MS = 5_000;

/** Stops accepting calls, gives turns up to `patienceMs`, ends the rest, and closes the sockets (DRAIN-1). */
export async function drain(
  service: Service,
  life: { isDraining: boolean },
  { patienceMs, hasOthers }: { patienceMs: number; hasOthers: boolean },
): Promise<void> {
  const { clock, streams, turns, transcripts, titles, previews, push } = service;
  life.isDraining = true;
  service.inlineQueries.close();
  // With other nodes, clients are disconnected first: they reconnect there and follow the replies being written here.
  if (hasOthers) await cutOff(service);
  const patience = Promise.withResolvers<void>();
  const timer = patienceMs > 0 ? clock.setTimer(patience.resolve, patienceMs) : patience.resolve();
  await turns.drain(patience.promise);
  await Promise.all([transcripts.stop(), titles.stop(), previews.stop()]);
  timer?.cancel();
  await Promise.all([...streams.all()].map((stream) => streams.checkpoints.attempt(stream)));
  service.typing.endAll();
  await cutOff(service);
  await push.stop(Math.min(patienceMs, PUSH_PATIENCE_MS));
}

/** Closes the sockets after units in progress have been answered and their events sent. */
async function cutOff({ clock, units, hub, sockets }: Service): Promise<void> {
  const tooLong = Promise.withResolvers<void>();
  const timer = clock.setTimer(tooLong.resolve, IDLE_PATIENCE_MS);
  // Hence the timeout: while replies are being written, some unit is always in progress.
  await Promise.race([units.idle(), tooLong.promise]);
  timer.cancel();
  hub.flush();
  await sockets.closeAll(1012, 'the service restarts');
}

import { runRelay } from './relay.ts';

/** A typical first chat server: rooms in memory, one `send` per member and message, nothing stored. */
runRelay({
  broadcast(members, event, isDelta) {
    const text = JSON.stringify(event);
    for (const { socket, nodrafts } of members) {
      if (!(isDelta && nodrafts)) socket.send(text);
    }
  },
  reply({ socket }, reply) {
    socket.send(JSON.stringify(reply));
  },
});

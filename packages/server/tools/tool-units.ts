import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { addToolDefinition, markToolChanged, toolServerByKey } from '../store/tool-servers.ts';

interface Pins {
  serverKey: number;
  /** Of the server when its tools were listed: after another setAgentTools nothing is stored. */
  revision: number;
  /** Definitions that are listed for the first time; JSON. */
  added: { name: string; hash: string; definition: string }[];
  /** Names of tools that the server describes differently than at first. */
  changed: string[];
}

export const toolUnits = {
  /** Pins what a server says of its tools, and notes what it says differently now (TOOL-9, TOOL-10). */
  pinTools: internalUnit(
    { locks: everything },
    async ({ tx }: UnitCall, { serverKey, revision, added, changed }: Pins): Promise<void> => {
      const server = await tx.get(toolServerByKey, serverKey);
      if (server?.revision !== revision) return;
      for (const { name, hash, definition } of added)
        await tx.run(addToolDefinition, serverKey, name, server.agent_key, hash, definition);
      for (const name of changed) await tx.run(markToolChanged, serverKey, name);
    },
  ),
};

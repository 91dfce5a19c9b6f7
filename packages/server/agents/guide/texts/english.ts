import { calls, type GuideTexts, names } from './texts.ts';

export const english: GuideTexts = {
  overview: `Hello! I am the guide to Parley, a chat service where people and AI agents talk as equals. I work without a key.

What you can do here:

- **Talk** with people and agents, one to one or in groups with channels and threads.
- **Watch replies stream in.** They live on the server: switch devices or come back later, and the whole text is there.
- **Bring your own agents.** \`<you>:provider_a\` and \`<you>:provider_b\` are already yours. They just need a key.
- **Write a bot** that takes part like anyone else.

Ask me about **keys**, **groups**, **bots**, how to **stop** a reply, or all **commands**.`,

  unsure: `I don't know that. I'm a small program with fixed answers, not a model.

Ask me about **keys**, **groups**, **bots**, how to **stop** a reply, or all **commands**. To ask about anything else, set a key for one of your agents and write to it.`,

  keys: `**Setting a key**

You have two agents from the start: \`<you>:provider_a\` and \`<you>:provider_b\`. Unless this server is set up differently, the first uses Anthropic's models and the second OpenAI's. They answer as soon as you set your API key for that provider.

In the app: open **Menu → Agents and keys** and paste the key. With the API:

${calls.key}

- Your key is stored encrypted. Only its last characters are ever shown again. Please don't post keys in a chat.
- \`getMyAgents\` lists which of your agents have a key. \`removeAgentKey\` removes one.
- Then start chatting: \`startChat { "username": "<you>:provider_a" }\` and write to it just like you write to me.`,

  groups: `**Agents in groups**

In the app: press the pencil above your conversations and choose **Make a group**. Then open the group's details, press **Agents → Add yours**, and share an invite link with people who have no account yet. With the API:

1. Create a group: \`startChat { "usernames": ["bob"], "title": "Plans" }\`. Add more people later with \`addMembers\`.
2. Add one of your agents:

${calls.addAgent}

3. Mention it in a message, \`@<you>:provider_a what do you think?\`, or reply to one of its messages: it answers.

- With \`"always_on": true\` it answers every message from a person. Change that later with \`setGroupAgentMode\`, or remove it with \`removeGroupAgent\`.
- With \`"follows_threads": true\` (in \`setGroupAgentMode\`) it answers the people of a thread in which it was asked once, until 30 minutes have passed without a message there, or until someone dismisses it.
- \`getGroupAgents\` lists the agents of a group.
- Agents can mention each other. Such a chain stops after a few rounds.`,

  stop: `**Stopping a reply**

In the app: press **Stop** below the reply or the square button next to your message, or type \`/stop\`. With the API:

${calls.stop}

- \`message_id\` is the streaming reply. Leave it out to stop every reply in that chat.
- The text so far stays. A reply without text disappears.
- You can stop replies you asked for and replies of your own agents. A group's owner and admins can stop any reply in the group.`,

  bots: `**Writing a bot**

In the app: **Menu → Settings → Bots** creates its account and shows its token once. Then run \`npm run new-bot -- my-bot\` in the service's folder to get a program that works right away. To write one yourself with the API:

1. Create its account: \`createBot { "slug": "helper", "display_name": "Helper" }\` returns \`<you>:helper\` and a token, which is shown only once. Get a new one with \`rotateBotToken\`.
2. Connect with that token to \`/api/ws?token=mb_…\`. When a message's \`dispatch\` names your bot, it is your bot's turn.
3. Stream its reply:

${calls.stream}

- \`offset\` is the total length in bytes after the delta, so it's safe to send a delta again.
- If an append returns \`cancel_requested\`, someone wants to stop the reply: finish it as \`cancelled\`.
- For a short answer just use \`sendMessage\`.`,

  commands: `**Commands**

In the app: type \`/\` in the composer for commands, \`?\` for keyboard shortcuts, and \`Ctrl K\` or \`⌘K\` to search. With the API: each command is \`POST /api/<name>\` with a JSON body, or a socket request \`{ "id": 1, "method": "<name>", "params": { … } }\`. Find the full list with every field at \`/docs\`.

- **Messages**: ${names.messages}
- **Chats and groups**: ${names.chats}
- **Agents**: ${names.agents}
- **Bots**: ${names.bots}
- **Catching up**: ${names.updates}

Ask me about **keys**, **groups**, **bots** or how to **stop** a reply.`,
};

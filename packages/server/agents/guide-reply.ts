// Usernames stand in code only: there they mention, and so fire, nobody.

const overview = `Hello! I am the guide to Parley, a chat service in which people and AI agents take part as equals. I answer without any key.

What you can do here:

- **Talk** with people and agents, one to one or in groups with channels and threads.
- **Watch replies being written.** They belong to the server: leave, change device, come back, and the whole text is there.
- **Bring your own agents.** \`<you>:provider_a\` and \`<you>:provider_b\` are yours already and only wait for a key.
- **Write a bot** that takes part like anyone else.

Ask me about **keys**, **groups**, **bots**, how to **stop** a reply, or all **commands**.`;

const keys = `**Setting a key**

Two agents are yours from the start, \`<you>:provider_a\` and \`<you>:provider_b\`. Unless this server is configured otherwise, the first speaks with Anthropic's models and the second with OpenAI's. They answer as soon as they have your API key of that provider.

In the app: **Menu → Agents and keys**, and paste it there. With the API:

\`\`\`
POST /api/setAgentKey
{ "provider": "provider_a", "api_key": "…" }
\`\`\`

- The key is stored sealed and never shown again, only its last characters. Please never write one into a chat.
- \`getMyAgents\` tells which of your agents have a key, \`removeAgentKey\` takes one away.
- Then begin: \`startChat { "username": "<you>:provider_a" }\`, and write to it as you do to me.`;

const groups = `**Agents in groups**

In the app: the pencil above the conversations, **Make a group**; then the group's details, **Agents → Add yours**, and an invite link for those who have no account yet. With the API:

1. Make a group: \`startChat { "usernames": ["bob"], "title": "Plans" }\`. People join later with \`addMembers\`.
2. Bring in an agent of yours:

\`\`\`
POST /api/addGroupAgent
{ "chat_id": "…", "agent_username": "<you>:provider_a", "always_on": false }
\`\`\`

3. Mention it in a message, \`@<you>:provider_a what do you think?\`, or reply to one of its messages: it answers.

- With \`"always_on": true\` it answers every message that a person writes. \`setGroupAgentMode\` changes that later, \`removeGroupAgent\` takes it out again.
- \`getGroupAgents\` lists the agents of a group.
- Agents may mention each other; such a chain ends by itself after a few rounds.`;

const stop = `**Stopping a reply**

In the app: **Stop** below the reply, the square button where you write, or \`/stop\`. With the API:

\`\`\`
POST /api/stopRun
{ "chat_id": "…", "message_id": "…" }
\`\`\`

- \`message_id\` is the reply that is being written. Without it, every reply in that chat stops.
- What was written so far stays. A reply that had no text yet disappears.
- You may stop replies that you asked for, those of your own agents, and, as a group's owner or admin, any in the group.`;

const bots = `**Writing a bot**

In the app: **Menu → Settings → Bots** makes its account and shows its token, once. Then \`npm run new-bot -- my-bot\` in the folder of the service writes a program that runs as it is. By hand, with the API:

1. Make its account: \`createBot { "slug": "helper", "display_name": "Helper" }\` answers with \`<you>:helper\` and a token that is shown only once. \`rotateBotToken\` gives a new one.
2. Connect with that token to \`/api/ws?token=mb_…\`. When a message's \`dispatch\` names your bot, it is your bot's turn.
3. Stream the answer:

\`\`\`
startMessageStream  { "chat_id": "…", "client_msg_id": "re:<message id>" }
appendMessageStream { "message_id": "…", "delta": "Hel", "offset": 3 }
finishMessageStream { "message_id": "…" }
\`\`\`

- \`offset\` is the length in bytes after the piece, so a piece that you send again does no harm.
- When the result of an append says \`cancel_requested\`, somebody wants the reply stopped: finish it as \`cancelled\`.
- A short answer needs no stream: \`sendMessage\` will do.`;

const commands = `**Commands**

In the app: type \`/\` where you write, \`?\` for the keys, and \`Ctrl K\` or \`⌘K\` to search. With the API: each is \`POST /api/<name>\` with a JSON body, or a socket request \`{ "id": 1, "method": "<name>", "params": { … } }\`. The whole list with every field is at \`/docs\`.

- **Messages**: \`sendMessage\`, \`getChatHistory\`, \`deleteMessages\`, \`deleteMessagesForMe\`, \`pinMessage\`, \`unpinMessage\`, \`setMessageReaction\`, \`sendChatAction\`, \`saveDraft\`
- **Chats and groups**: \`startChat\`, \`getChats\`, \`getChat\`, \`addMembers\`, \`removeMember\`, \`leaveChat\`, \`setChatTitle\`, \`createChannel\`, \`markRead\`, \`setChatNotifications\`
- **Agents**: \`getMyAgents\`, \`setAgentKey\`, \`removeAgentKey\`, \`addGroupAgent\`, \`removeGroupAgent\`, \`setGroupAgentMode\`, \`stopRun\`
- **Bots**: \`createBot\`, \`rotateBotToken\`, \`deleteBot\`, \`startMessageStream\`, \`appendMessageStream\`, \`finishMessageStream\`
- **Catching up**: \`getUpdates\`

Ask me about **keys**, **groups**, **bots** or how to **stop** a reply.`;

/** On a tie the earlier topic is meant: "stop the bot in our group" asks how to stop. */
const topics: readonly { reply: string; words: ReadonlySet<string> }[] = [
  { reply: stop, words: wordsOf('stop stops stopped stopping cancel cancelled abort halt interrupt quiet silence') },
  {
    reply: keys,
    words: wordsOf('key keys api apikey secret anthropic claude openai gpt provider providers model models'),
  },
  {
    reply: groups,
    words: wordsOf(
      'group groups add adding invite member members mention mentions mentioning channel channels room always',
    ),
  },
  {
    reply: bots,
    words: wordsOf('bot bots daemon write writing build building program code token sdk stream streaming'),
  },
  {
    reply: commands,
    words: wordsOf('help command commands operation operations list reference docs openapi endpoints methods'),
  },
];

/** What the guide answers: the topic that most of the question's words belong to, else an overview (GUIDE-2). */
export function guideReply(question: string): string {
  // A mention of `@parley:guide`, or of `@bob:bot`, is no part of the question.
  const asked = wordsOf(question.replace(/@[\w:]+/g, ' '));
  let best = { reply: overview, hits: 0 };
  for (const { reply, words } of topics) {
    const hits = asked.intersection(words).size;
    if (hits > best.hits) best = { reply, hits };
  }
  return best.reply;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]+/g));
}

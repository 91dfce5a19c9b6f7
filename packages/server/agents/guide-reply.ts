// Usernames are written only in code, where they are not mentions and start no agent.

const overview = `Hello! I am the guide to Parley, a chat service where people and AI agents talk as equals. I work without a key.

What you can do here:

- **Talk** with people and agents, one to one or in groups with channels and threads.
- **Watch replies stream in.** They live on the server: switch devices or come back later, and the whole text is there.
- **Bring your own agents.** \`<you>:provider_a\` and \`<you>:provider_b\` are already yours. They just need a key.
- **Write a bot** that takes part like anyone else.

Ask me about **keys**, **groups**, **bots**, how to **stop** a reply, or all **commands**.`;

const unsure = `I don't know that. I'm a small program with fixed answers, not a model.

Ask me about **keys**, **groups**, **bots**, how to **stop** a reply, or all **commands**. To ask about anything else, set a key for one of your agents and write to it.`;

const keys = `**Setting a key**

You have two agents from the start: \`<you>:provider_a\` and \`<you>:provider_b\`. Unless this server is set up differently, the first uses Anthropic's models and the second OpenAI's. They answer as soon as you set your API key for that provider.

In the app: open **Menu → Agents and keys** and paste the key. With the API:

\`\`\`
POST /api/setAgentKey
{ "provider": "provider_a", "api_key": "…" }
\`\`\`

- Your key is stored encrypted. Only its last characters are ever shown again. Please don't post keys in a chat.
- \`getMyAgents\` lists which of your agents have a key. \`removeAgentKey\` removes one.
- Then start chatting: \`startChat { "username": "<you>:provider_a" }\` and write to it just like you write to me.`;

const groups = `**Agents in groups**

In the app: press the pencil above your conversations and choose **Make a group**. Then open the group's details, press **Agents → Add yours**, and share an invite link with people who have no account yet. With the API:

1. Create a group: \`startChat { "usernames": ["bob"], "title": "Plans" }\`. Add more people later with \`addMembers\`.
2. Add one of your agents:

\`\`\`
POST /api/addGroupAgent
{ "chat_id": "…", "agent_username": "<you>:provider_a", "always_on": false }
\`\`\`

3. Mention it in a message, \`@<you>:provider_a what do you think?\`, or reply to one of its messages: it answers.

- With \`"always_on": true\` it answers every message from a person. Change that later with \`setGroupAgentMode\`, or remove it with \`removeGroupAgent\`.
- With \`"follows_threads": true\` (in \`setGroupAgentMode\`) it answers the people of a thread in which it was asked once, until 30 minutes have passed without a message there, or until someone dismisses it.
- \`getGroupAgents\` lists the agents of a group.
- Agents can mention each other. Such a chain stops after a few rounds.`;

const stop = `**Stopping a reply**

In the app: press **Stop** below the reply or the square button next to your message, or type \`/stop\`. With the API:

\`\`\`
POST /api/stopRun
{ "chat_id": "…", "message_id": "…" }
\`\`\`

- \`message_id\` is the streaming reply. Leave it out to stop every reply in that chat.
- The text so far stays. A reply without text disappears.
- You can stop replies you asked for and replies of your own agents. A group's owner and admins can stop any reply in the group.`;

const bots = `**Writing a bot**

In the app: **Menu → Settings → Bots** creates its account and shows its token once. Then run \`npm run new-bot -- my-bot\` in the service's folder to get a program that works right away. To write one yourself with the API:

1. Create its account: \`createBot { "slug": "helper", "display_name": "Helper" }\` returns \`<you>:helper\` and a token, which is shown only once. Get a new one with \`rotateBotToken\`.
2. Connect with that token to \`/api/ws?token=mb_…\`. When a message's \`dispatch\` names your bot, it is your bot's turn.
3. Stream its reply:

\`\`\`
startMessageStream  { "chat_id": "…", "client_msg_id": "re:<message id>" }
appendMessageStream { "message_id": "…", "delta": "Hel", "offset": 3 }
finishMessageStream { "message_id": "…" }
\`\`\`

- \`offset\` is the total length in bytes after the delta, so it's safe to send a delta again.
- If an append returns \`cancel_requested\`, someone wants to stop the reply: finish it as \`cancelled\`.
- For a short answer just use \`sendMessage\`.`;

const commands = `**Commands**

In the app: type \`/\` in the composer for commands, \`?\` for keyboard shortcuts, and \`Ctrl K\` or \`⌘K\` to search. With the API: each command is \`POST /api/<name>\` with a JSON body, or a socket request \`{ "id": 1, "method": "<name>", "params": { … } }\`. Find the full list with every field at \`/docs\`.

- **Messages**: \`sendMessage\`, \`getChatHistory\`, \`deleteMessages\`, \`deleteMessagesForMe\`, \`pinMessage\`, \`unpinMessage\`, \`setMessageReaction\`, \`sendChatAction\`, \`saveDraft\`
- **Chats and groups**: \`startChat\`, \`getChats\`, \`getChat\`, \`addMembers\`, \`removeMember\`, \`leaveChat\`, \`setChatTitle\`, \`createChannel\`, \`markRead\`, \`setChatNotifications\`
- **Agents**: \`getMyAgents\`, \`setAgentKey\`, \`removeAgentKey\`, \`addGroupAgent\`, \`removeGroupAgent\`, \`setGroupAgentMode\`, \`stopRun\`
- **Bots**: \`createBot\`, \`rotateBotToken\`, \`deleteBot\`, \`startMessageStream\`, \`appendMessageStream\`, \`finishMessageStream\`
- **Catching up**: \`getUpdates\`

Ask me about **keys**, **groups**, **bots** or how to **stop** a reply.`;

/** Beginnings of words in the app's other languages, so that the guide understands the questions that the app suggests. */
const stems: readonly (readonly [reply: string, stem: RegExp])[] = [
  [keys, /schlüssel|clave|clé|キー|مفتاح/iu],
  [groups, /gruppe|grupo|groupe|グループ|مجموع/iu],
  [bots, /ボット|بوت/iu],
  [overview, /was kann|qué puedo|que puis-je|何ができる|ماذا يمكنن/iu],
];

/** Ordered by priority: on a tie the earlier topic wins, so "stop the bot in our group" is about stopping. */
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

/** Words of greetings, and of questions about the guide itself. */
const greetings = wordsOf('hi hello hey welcome start you parley guide');

/**
 * Returns the topic with the most words of the question; otherwise the overview if it is a greeting, or else the names
 * of the topics (GUIDE-2).
 */
export function guideReply(question: string): string {
  // Ignore mentions such as `@parley:guide` or `@bob:bot`.
  const asked = wordsOf(question.replace(/@[\w:]+/g, ' '));
  const foreign = stems.find(([, stem]) => stem.test(question));
  if (foreign) return foreign[0];
  let best = { reply: asked.size === 0 || !asked.isDisjointFrom(greetings) ? overview : unsure, hits: 0 };
  for (const { reply, words } of topics) {
    const hits = asked.intersection(words).size;
    if (hits > best.hits) best = { reply, hits };
  }
  return best.reply;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]+/g));
}

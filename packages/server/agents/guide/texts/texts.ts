/** What the guide answers, by topic. Usernames are written only in code, where they are not mentions and start no agent. */
export interface GuideTexts {
  readonly overview: string;
  readonly unsure: string;
  readonly keys: string;
  readonly groups: string;
  readonly stop: string;
  readonly bots: string;
  readonly commands: string;
}

export type Topic = keyof GuideTexts;

/** The examples of calls, which are the same in every language. */
export const calls = {
  key: `\`\`\`
POST /api/setAgentKey
{ "provider": "provider_a", "api_key": "…" }
\`\`\``,
  addAgent: `\`\`\`
POST /api/addGroupAgent
{ "chat_id": "…", "agent_username": "<you>:provider_a", "always_on": false }
\`\`\``,
  stop: `\`\`\`
POST /api/stopRun
{ "chat_id": "…", "message_id": "…" }
\`\`\``,
  stream: `\`\`\`
startMessageStream  { "chat_id": "…", "client_msg_id": "re:<message id>" }
appendMessageStream { "message_id": "…", "delta": "Hel", "offset": 3 }
finishMessageStream { "message_id": "…" }
\`\`\``,
};

/** The operations that the guide names. */
export const names = {
  messages:
    '`sendMessage`, `getChatHistory`, `deleteMessages`, `deleteMessagesForMe`, `pinMessage`, `unpinMessage`, `setMessageReaction`, `sendChatAction`, `saveDraft`',
  chats:
    '`startChat`, `getChats`, `getChat`, `addMembers`, `removeMember`, `leaveChat`, `setChatTitle`, `createChannel`, `markRead`, `setChatNotifications`',
  agents:
    '`getMyAgents`, `setAgentKey`, `removeAgentKey`, `addGroupAgent`, `removeGroupAgent`, `setGroupAgentMode`, `stopRun`',
  bots: '`createBot`, `rotateBotToken`, `deleteBot`, `startMessageStream`, `appendMessageStream`, `finishMessageStream`',
  updates: '`getUpdates`',
};

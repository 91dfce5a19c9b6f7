/**
 * Descriptions of fields whose name means the same wherever it occurs, for the published documents. A field whose schema
 * has a description of its own keeps that one (API-10).
 */
export const fieldNotes: Readonly<Record<string, string>> = {
  // ids
  id: 'unique, and never changes',
  chat_id: 'id of the conversation',
  conversation_id: 'id of the conversation',
  channel_id: 'id of the channel; null or absent: the timeline `#all`, or a direct chat',
  thread_root_id: 'id of the message under which the thread is; null or absent: not in a thread',
  message_id: 'id of the message',
  message_ids: 'ids of messages',
  ids: 'ids of messages',
  query_id: 'the `query_id` of `events.inlineQuery`, which the answer names',
  scheduled_id: 'id of the scheduled message',
  schedule_id: 'id of the schedule',
  subscription_id: 'id of the subscription',
  folder_id: 'id of the folder that the caller has put it in; null for none',
  socket: 'id of the socket, from its `events.hello`',
  // accounts
  username: "the account's unique name, in lower case; that of a person's agent is `<owner>:<name>`",
  usernames: 'usernames of accounts',
  display_name: 'the name that people see; need not be unique',
  agent_username: "the agent's username",
  bot_username: "the bot's username",
  avatar_file_id: 'id of a photo that the caller has uploaded; null removes the picture',
  avatar_url:
    "path of the picture, relative to the service's address and valid for up to 10 minutes; null or absent if there is none",
  bio: 'what the account says about itself',
  slug: 'the second part of the username, `<caller>:<slug>`',
  sender: 'the account that sent the message',
  reactor: 'the account that reacted',
  bot: 'the account of the bot, or of another agent',
  is_default: 'one of the two agents that every person has',
  // messages and conversations
  position:
    'a number that orders the messages of a conversation: a newer message has a greater one, and numbers may be skipped',
  attachments: 'the files and cards of the message, in their order',
  client_msg_id:
    "chosen by the sender's client, to recognise its own message: it **must be unique per message (a UUID), not a counter that starts anew**. It counts for good: a retry with the same id stores no second message, and another message with it is refused",
  reply_to_message_id: 'id of the message that is quoted',
  reply_to_id: 'id of the message that is quoted; null or absent for none',
  emoji: 'one emoji, or `:name:` of a custom one',
  content_revision: 'grows with every change of the text or its parts: what has the greater one is newer',
  participants: 'the first 50 members and agents; getMembers returns all of them',
  participant_count: 'how many people, agents and webhooks take part',
  people_count: 'how many of the participants are people; the others are agents and webhooks',
  is_muted: 'whether the conversation sends no pushes to the caller',
  muted_until: 'when the mute ends by itself; null or absent if it does not',
  last_read_message_id: 'the newest message that the caller has read; null for none',
  always_on: 'whether the agent answers every message of a human, not only those that mention or quote it',
  follows_threads:
    'whether the agent, once a human has asked it in a thread, answers every human message there, until 30 minutes have passed without one',
  is_typing: 'whether the account is typing',
  head: "the newest `seq` of the account's update log",
  input_tokens: 'tokens that the model was sent',
  output_tokens: 'tokens that the model wrote',
  config_schema: 'the settings that the agent has, each with its type and label',
  secret_schema: 'the secrets that the agent needs, such as keys',
  // lists
  items: 'the entries, in the order that the summary says',
  next_cursor: 'the `cursor` of the next page; absent on the last one',
  // times
  created_at: 'when it was created',
  updated_at: 'when it last changed',
  expires_at: 'when it stops to be valid; absent if it does not',
};

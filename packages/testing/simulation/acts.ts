import { ApiError } from '@parley/client';
import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import type { Cast, SimulatedChat } from './cast.ts';

/** Does something permitted; returns a description, or undefined if no actor could do it. */
export type Act = (cast: Cast) => Promise<string | undefined>;

const emojis = ['👍', '❤️', '🎉'];

/** Acts of people; any of them may run concurrently. */
export const acts = {
  send: (cast) => send(cast, cast.witness.newToken()),
  mentionAgent: (cast) => send(cast, `@${cast.agent} ${cast.witness.newToken()}`),
  mentionBot: (cast) => send(cast, `@${cast.bot.username} ${cast.witness.newToken()}`),

  async sendTwice(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const { actor, chat } = place;
    const text = cast.witness.newToken();
    const request = { chat_id: chat.id, text, client_msg_id: `once ${text.replaceAll('#', '')}` };
    const [one, two] = await Promise.all([actor.api.sendMessage(request), actor.api.sendMessage(request)]);
    if (one.id !== two.id) throw new Error(`one client_msg_id made two messages: ${one.id} and ${two.id}`);
    chat.messages.push(one);
    return `${actor.username} sends ${text} twice`;
  },

  async look(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const { actor, chat } = place;
    const { items } = await actor.api.getChatHistory({
      chat_id: chat.id,
      channel_id: cast.random.chance(0.3) ? cast.random.pick(chat.channelIds) : undefined,
      limit: 1 + cast.random.below(20),
    });
    for (const message of items)
      if (message.status !== 'streaming' && !chat.messages.some(({ id }) => id === message.id))
        chat.messages.push(message);
    return `${actor.username} looks at ${items.length} messages`;
  },

  async focus(cast) {
    const follower = cast.random.pick(cast.followers.filter((one) => one.has('focus') && !one.socket?.isPaused));
    const actor = follower && cast.actor(follower.account);
    const chat = cast.random.pick(cast.chats.filter(({ id }) => actor && cast.witness.isMember(id, actor.username)));
    if (!follower) return undefined;
    const place = cast.random.chance(0.8) && chat ? chat : undefined;
    await follower.setFocus(place ? { conversation_id: place.id, channel_id: null, thread_root_id: null } : null);
    return `${follower.whose} looks ${place ? `at ${place.id}` : 'nowhere'}`;
  },

  async delete(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const { actor, chat } = place;
    const wanted = Array.from({ length: 1 + cast.random.below(3) }, () => cast.random.pick(chat.messages)?.id ?? '');
    const { ids } = await actor.api.deleteMessages({ message_ids: wanted.filter((id) => id !== '') });
    forget(cast, chat, ({ id }) => ids.includes(id));
    return `${actor.username} deletes ${ids.length} messages`;
  },

  async edit(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const { actor, chat } = place;
    const own = ({ sender, service }: Message): boolean => sender.username === actor.username && service === undefined;
    const message = cast.random.pick(chat.messages.filter((one) => own(one) && !one.decision));
    if (!message) return undefined;
    const text = `${cast.random.chance(0.2) ? `@${cast.agent} ` : ''}${cast.witness.newToken()}`;
    const edited = await actor.api.editMessage({ message_id: message.id, text });
    if (edited.content !== text) throw new Error(`${text} was stored as ${edited.content}`);
    cast.witness.bury(message.content);
    // Another actor may have deleted it in the meantime.
    const at = chat.messages.findIndex(({ id }) => id === message.id);
    if (at >= 0) chat.messages[at] = edited;
    else cast.witness.bury(text);
    return `${actor.username} edits ${message.content}: ${text}`;
  },

  async hide(cast) {
    const { actor, message } = someMessage(cast) ?? {};
    if (!actor || !message) return undefined;
    const { ids } = await actor.api.deleteMessagesForMe({ message_ids: [message.id] });
    if (ids.length > 0) cast.witness.hide(actor.username, message.content);
    return `${actor.username} hides ${message.content}`;
  },

  async react(cast) {
    const { actor, message } = someMessage(cast) ?? {};
    if (!actor || !message) return undefined;
    const emoji = cast.random.pick(emojis) ?? '';
    const how = cast.random.weighted({ toggle: 6, add: 2, remove: 2 });
    if (how === 'add') await rpc(cast, actor, 'reactions.add', { message_id: message.id, emoji });
    else await actor.api.setMessageReaction({ message_id: message.id, emoji, remove: how === 'remove' });
    return `${actor.username} ${how}s ${emoji} at ${message.content}`;
  },

  async pin(cast) {
    const { actor, chat, message } = someMessage(cast) ?? {};
    if (!actor || !message || !chat) return undefined;
    const how = cast.random.weighted({ pin: 6, unpin: 3, unpinAll: 1 });
    if (how === 'pin') await actor.api.pinMessage({ chat_id: chat.id, message_id: message.id });
    else await actor.api.unpinMessage({ chat_id: chat.id, message_id: how === 'unpin' ? message.id : undefined });
    return `${actor.username} ${how}s ${message.content}`;
  },

  async draft(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const text = cast.random.chance(0.3) ? '  ' : `draft ${cast.witness.newToken()}`;
    const timeline = cast.random.chance(0.5) ? someTimeline(cast, place.chat) : {};
    await place.actor.api.saveDraft({ ...timeline, chat_id: place.chat.id, text });
    return `${place.actor.username} saves the draft "${text}"`;
  },

  async type(cast) {
    const place = cast.someone(() => true);
    if (!place) return undefined;
    const action = cast.random.chance(0.7) ? 'typing' : 'cancel';
    await rpc(cast, place.actor, 'typing.set', { conversation_id: place.chat.id, action });
    return `${place.actor.username}: ${action}`;
  },

  async markRead(cast) {
    const { actor, chat, message } = someMessage(cast) ?? {};
    if (!actor || !message || !chat) return undefined;
    await actor.api.markRead({ chat_id: chat.id, message_id: message.id });
    return `${actor.username} has read ${message.content}`;
  },

  async mute(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    await place.actor.api.setChatNotifications({ chat_id: place.chat.id, is_muted: cast.random.chance(0.5) });
    return `${place.actor.username} mutes or unmutes`;
  },

  async keepState(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const how = cast.random.weighted({ is_pinned: 3, is_archived: 2, is_marked_unread: 2 });
    await place.actor.api.setChatState({ chat_id: place.chat.id, [how]: cast.random.chance(0.7) });
    return `${place.actor.username} sets ${how}`;
  },

  async clear(cast) {
    const place = cast.someone();
    // Of a reply out of focus a client does not know whether it was cleared.
    if (!place || cast.streams.some(({ chatId }) => chatId === place.chat.id)) return undefined;
    await place.actor.api.clearChat({ chat_id: place.chat.id });
    return `${place.actor.username} clears the conversation`;
  },

  async stop(cast) {
    const place = cast.someone();
    if (!place) return undefined;
    const stream = cast.random.pick(cast.streams.filter(({ chatId }) => chatId === place.chat.id));
    await place.actor.api.stopRun({
      chat_id: place.chat.id,
      message_id: cast.random.chance(0.5) ? stream?.id : undefined,
    });
    return `${place.actor.username} stops replies`;
  },

  async regenerate(cast) {
    const { actor, chat, message } = someReply(cast) ?? {};
    if (!actor || !chat || !message) return undefined;
    chat.messages.push(await actor.api.retryReply({ message_id: message.id }));
    return `${actor.username} regenerates ${message.id}`;
  },

  async chooseVersion(cast) {
    const { actor, message } = someReply(cast, ({ versions }) => versions !== undefined) ?? {};
    if (!actor || !message) return undefined;
    await actor.api.chooseVersion({ message_id: message.id });
    return `${actor.username} chooses ${message.id}`;
  },

  async createChannel(cast) {
    const place = cast.someone((actor, { kind }) => kind === 'group' && actor !== cast.bot);
    if (!place || place.chat.channelIds.length >= 3) return undefined;
    const { id } = await place.actor.api.createChannel({ chat_id: place.chat.id, title: 'a channel' });
    place.chat.channelIds.push(id);
    return `${place.actor.username} makes the channel ${id}`;
  },

  async deleteChannel(cast) {
    const place = cast.someone((_, { channelIds }) => channelIds.length > 0);
    const channelId = place && cast.random.pick(place.chat.channelIds);
    if (!place || channelId === undefined) return undefined;
    await place.actor.api.deleteChannel({ chat_id: place.chat.id, channel_id: channelId });
    place.chat.channelIds.splice(place.chat.channelIds.indexOf(channelId), 1);
    forget(cast, place.chat, ({ channel_id }) => channel_id === channelId);
    return `${place.actor.username} deletes the channel ${channelId}`;
  },

  async title(cast) {
    const place = cast.someone((_, { kind }) => kind === 'group');
    if (!place) return undefined;
    await place.actor.api.setChatTitle({ chat_id: place.chat.id, title: `title ${cast.random.below(100)}` });
    return `${place.actor.username} sets a title`;
  },

  async describe(cast) {
    const place = cast.someone((_, { kind }) => kind === 'group');
    if (!place) return undefined;
    const description = cast.random.pick(['', 'about this', 'about that']) ?? '';
    await place.actor.api.setChatDescription({ chat_id: place.chat.id, description });
    return `${place.actor.username} describes the group as "${description}"`;
  },

  async ask(cast) {
    const place = cast.someone(() => true);
    if (!place) return undefined;
    const { actor, chat } = place;
    const [text, options] = [cast.witness.newToken(), ['yes', 'no'].map((id) => ({ id, label: id }))];
    const who = cast.random.weighted({ anyone: 3, admins: 1, one: 2, private: 3 });
    const decider = cast.random.pick(cast.people.filter(({ username }) => cast.witness.isMember(chat.id, username)));
    if (!decider) return undefined;
    const isPrivate = who === 'private';
    const deciders = who === 'anyone' || who === 'admins' ? who : [decider.username];
    if (who === 'admins' && chat.kind === 'direct') return undefined;
    if (isPrivate) cast.witness.keepTo(text, [actor.username, decider.username]);
    const timeline = someTimeline(cast, chat);
    const asked = { ...timeline, chat_id: chat.id, text, options, deciders, private: isPrivate };
    const message = await actor.api.askDecision(asked);
    if (isPrivate) cast.asked.push(message.id);
    else chat.messages.push(message);
    return `${actor.username} asks ${who} ${text}`;
  },

  async decide(cast) {
    const { actor, id } = someDecision(cast) ?? {};
    if (!actor || id === undefined) return undefined;
    const option = cast.random.pick(['yes', 'no']);
    noteOutcome(cast, await actor.api.decide({ decision_id: id, option }));
    return `${actor.username} decides ${id}: ${option}`;
  },

  async decideTogether(cast) {
    const { chat, id } = someDecision(cast) ?? {};
    if (!chat || id === undefined) return undefined;
    const answers = cast.membersOf(chat).map(async ({ api }, at) => {
      noteOutcome(cast, await api.decide({ decision_id: id, option: at % 2 === 0 ? 'yes' : 'no' }));
    });
    for (const { reason } of (await Promise.allSettled(answers)).filter((one) => one.status === 'rejected'))
      if (!(reason instanceof ApiError)) throw reason;
    return `all who may decide ${id} at once`;
  },

  async withdraw(cast) {
    const { actor, id } = someDecision(cast) ?? {};
    if (!actor || id === undefined) return undefined;
    noteOutcome(cast, await actor.api.withdrawDecision({ decision_id: id }));
    return `${actor.username} withdraws ${id}`;
  },
} as const satisfies Record<string, Act>;

/** A decision has one outcome, which whoever ends it is told, and nobody is told another one (DECIDE-5). */
function noteOutcome({ outcomes }: Cast, { id, decision }: Message): void {
  const outcome = `${decision?.state} ${decision?.decided_by} ${decision?.option}`;
  const known = outcomes.get(id) ?? outcome;
  if (known !== outcome) throw new Error(`the decision ${id} is ${known}, and then ${outcome}`);
  outcomes.set(id, outcome);
}

/** A decision, perhaps a private one, and somebody who may be none of its deciders. */
function someDecision(cast: Cast) {
  const place = cast.someone();
  const open = place?.chat.messages.filter(({ decision }) => decision !== undefined).map(({ id }) => id) ?? [];
  const id = cast.random.pick([...open, ...cast.asked]);
  return place && id !== undefined ? { ...place, id } : undefined;
}

/** Removes messages that are no longer visible to anyone. */
export function forget(cast: Cast, chat: SimulatedChat, isMeant: (message: Message) => boolean): void {
  for (const message of chat.messages.filter((one) => isMeant(one))) {
    cast.witness.bury(message.content);
    cast.witness.bury(cast.streams.find(({ id }) => id === message.id)?.text ?? '');
  }
  chat.messages = chat.messages.filter((one) => !isMeant(one));
}

/** Calls a socket method over an open socket of one of the actor's clients. */
async function rpc(cast: Cast, actor: Actor, method: string, params: object): Promise<unknown> {
  const sockets = cast.followersOf(actor.username).map(({ socket }) => socket);
  const socket = cast.random.pick(sockets.filter((one) => one?.isOpen && !one.isPaused));
  if (!socket) throw new ApiError(404, { error_code: 'not_found', description: 'no socket is open' });
  return socket.rpc(method, params);
}

function someMessage(cast: Cast) {
  const place = cast.someone();
  const message = place && cast.random.pick(place.chat.messages);
  return message && { ...place, message };
}

/** A reply of the provider's agent. Only the person who asked for it may do more than read it. */
function someReply(cast: Cast, isMeant: (message: Message) => boolean = () => true) {
  const place = cast.someone();
  const replies = place?.chat.messages.filter((one) => one.sender.username === cast.agent && isMeant(one));
  const message = cast.random.pick(replies ?? []);
  return place && message && { ...place, message };
}

/** The conversation's own timeline, a channel or a thread. */
function someTimeline({ random }: Cast, chat: SimulatedChat) {
  const root = random.chance(0.25)
    ? random.pick(chat.messages.filter(({ thread_root_id }) => thread_root_id === null))
    : undefined;
  const channelId = root
    ? (root.channel_id ?? undefined)
    : random.chance(0.2)
      ? random.pick(chat.channelIds)
      : undefined;
  return { channel_id: channelId, thread_root_id: root?.id };
}

async function send(cast: Cast, text: string): Promise<string | undefined> {
  const { random } = cast;
  const place = cast.someone();
  if (!place) return undefined;
  const { actor, chat } = place;
  const quoted = random.chance(0.2) ? random.pick(chat.messages) : undefined;
  const clear_draft = random.chance(0.2) && (random.chance(0.5) || ('timeline' as const));
  const timeline = { ...someTimeline(cast, chat), clear_draft };
  const message = random.chance(0.5)
    ? await actor.api.sendMessage({ ...timeline, chat_id: chat.id, text, reply_to_message_id: quoted?.id })
    : // `rpc` returns an unknown value; `messages.send` returns a Message.
      ((await rpc(cast, actor, 'messages.send', {
        ...timeline,
        conversation_id: chat.id,
        content: text,
        reply_to_id: quoted?.id,
      })) as Message);
  if (message.content !== text) throw new Error(`${text} was stored as ${message.content}`);
  chat.messages.push(message);
  return `${actor.username} sends ${text}`;
}

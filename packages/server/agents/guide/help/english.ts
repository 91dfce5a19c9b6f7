import type { HelpTexts } from './topics.ts';

export const english: HelpTexts = {
  name: 'Help',
  hello:
    'Hello! I’m the guide to Parley. I work without a key and answer questions about the app. Try “How do I make an agent?”, “How do I invite a friend?” or “How do I turn on dark mode?”',
  unknown:
    'I don’t know that. I’m a small program that knows the app, not a model. Ask me how something works here, such as agents, keys, groups, files, search or notifications.',
  found: 'I’m not sure, but the documentation says this:',
  open: 'Open it',
  more: 'All of the help',
  sections: {
    start: 'First steps',
    chats: 'Chats and groups',
    agents: 'Agents',
    keys: 'Keys and money',
    files: 'Files',
    search: 'Search',
    notifications: 'Notifications',
    privacy: 'Privacy and safety',
  },
  topics: {
    agent: {
      title: 'Make an agent, without code',
      text: 'Open {Menu} → {Agents and keys} and press {New agent}. Give it a name, say in your own words what it should do, and choose who may use it. You can try it beside the form before you save.',
      words: 'agent agents assistant create make build code coding programming',
    },
    key: {
      title: 'Add an API key',
      text: 'Open {Menu} → {Agents and keys}, choose the agent and paste your key from Anthropic or OpenAI. It is stored encrypted, and only its last characters are ever shown. Never post a key in a chat.',
      words: 'key keys api apikey anthropic claude openai gpt provider model',
    },
    cost: {
      title: 'What it costs, and limits',
      text: 'The provider bills the owner of the key. Above the text field you see who pays before you send. In an agent’s settings you set limits: {Monthly token limit}, {Monthly tokens in each group} and {Daily tokens for each of them}.',
      words: 'cost costs price pay pays paid money budget limit limits tokens bill expensive free',
    },
    stop: {
      title: 'Stop a reply',
      text: 'Press {Stop} below the reply, or the square button beside the text field. What has been written stays.',
      words: 'stop stops stopping cancel abort halt interrupt',
    },
    agentInGroup: {
      title: 'Agents in a group',
      text: 'Open the details of the group and press {Add yours} under {Agents}. It answers when somebody mentions it with `@` or replies to it. Choose {Answer every message} if it should always answer.',
      words: 'agent agents group groups mention mentions add always',
    },
    actions: {
      title: 'What agents do for you',
      text: 'Before an agent uses a tool that may change something, it asks you, unless you or its owner have allowed that in advance. Under {Menu} → {Settings} → {Agent actions} you see what agents did as you, and take back what you allowed.',
      words: 'tool tools action actions allow allowed permission mcp did',
    },
    bots: {
      title: 'Bots, for people who program',
      text: 'Under {Menu} → {Settings} → {Bots} you make the account of a bot and get its token. The documentation for developers leads you to a bot in five minutes.',
      words: 'bot bots webhook sdk developer daemon program',
    },
    invite: {
      title: 'Invite a friend',
      text: 'Open a group, then its details, and choose {Invite link}. Make a link and send it to your friend: whoever opens it can create an account and is in the group at once. People who have an account are added with {Add people}.',
      words: 'invite invites inviting invitation friend friends colleague colleagues join link',
    },
    browse: {
      title: 'Find public groups',
      text: 'Open {Menu} → {Browse groups}. Each group says what it is about. You read its messages once you have joined.',
      words: 'public browse discover open join groups',
    },
    group: {
      title: 'Make a group',
      text: 'Press the pencil above your conversations, choose {Make a group}, give it a name and add people. In its details you find {Channels}, members and settings.',
      words: 'group groups team channel channels create make start members',
    },
    later: {
      title: 'Send later, and reminders',
      text: 'Write your message, open the menu of the send button and choose {Send later}. To be reminded of a message, open its menu and choose {Remind me}. What waits is under {Menu} → {Scheduled}.',
      words: 'later schedule scheduled remind reminder reminders tomorrow repeat',
    },
    messages: {
      title: 'Reply, react, edit, delete',
      text: 'Point at a message, or hold it on a phone: there are {Reply}, {React}, {Forward}, {Edit} and {Delete}. With {Reply in thread} you talk about it beside the conversation.',
      words: 'message messages reply edit delete forward react reaction reactions thread threads pin',
    },
    chat: {
      title: 'Write to somebody',
      text: 'Press the pencil above your conversations and type a name. People and agents are in the same list.',
      words: 'chat write talk conversation contact dm',
    },
    voice: {
      title: 'Voice messages',
      text: 'Press {Record a voice message} beside the text field, speak, and press {Send the voice message}. Agents that can will read a transcript.',
      words: 'voice record recording microphone speak audio transcript',
    },
    files: {
      title: 'Send photos and files',
      text: 'Drop files into the conversation, paste them, or press the paper clip. Agents see photos, PDFs, office and text files of the conversation. All files of a chat are in its details under {Photos and files}.',
      words: 'file files photo photos picture image images pdf document documents upload attach send video',
    },
    search: {
      title: 'Find something',
      text: 'Press {Search} above your conversations, or Ctrl K (⌘K on a Mac). It finds messages, words in files, people, and what the app can do. The filters limit it to a person, a day or one conversation.',
      words: 'search find finding look filter shortcut shortcuts keyboard',
    },
    mute: {
      title: 'Make a conversation quiet',
      text: 'Open the menu of the conversation in the list and choose {Mute}, for an hour, a week or until you change it.',
      words: 'mute quiet silence silent noise unmute',
    },
    notifications: {
      title: 'Notifications',
      text: 'Open {Menu} → {Settings} → {Notifications} and turn on {Notifications on this device}. There you also choose what reaches you, and sounds.',
      words: 'notification notifications push sound alert alerts notify',
    },
    inbox: {
      title: 'What concerns you',
      text: '{For you} above the list collects mentions, replies and questions to you from all conversations, until you mark them as done.',
      words: 'inbox mentions todo missed unread concerns',
    },
    language: {
      title: 'Change the language',
      text: 'Open {Menu} → {Settings} → {Appearance} and choose it under {Language}.',
      words: 'language languages english german spanish french translate translation',
    },
    dark: {
      title: 'Dark mode and text size',
      text: 'Open {Menu} → {Settings} → {Appearance}. Under {Colours} choose {Dark}, {Light} or {System}; under {Text size} larger letters.',
      words: 'dark light theme mode colour color colours colors appearance font size night',
    },
    password: {
      title: 'Change your password',
      text: 'Open {Menu} → {Settings} → {Profile} and choose {Change password}. All your other devices are signed out.',
      words: 'password passwords',
    },
    deletion: {
      title: 'Your data, and deleting your account',
      text: 'Open {Menu} → {Settings} → {Profile}. Under {Your data} you download a copy; {Delete account} deletes your account for good.',
      words: 'account delete export data download remove',
    },
    profile: {
      title: 'Your name, picture and status',
      text: 'Open {Menu} → {Settings} → {Profile}: change your name, {Change picture} or {Set a status}.',
      words: 'name picture avatar profile status bio',
    },
    devices: {
      title: 'Where you are signed in',
      text: 'Open {Menu} → {Settings} → {Devices}. Sign out a device there that you do not know, or choose {Sign out all others}.',
      words: 'device devices session sessions signed logged login logout sign',
    },
    block: {
      title: 'Block somebody',
      text: 'Open your chat with the person, then its details, and choose {Block}. Under {Menu} → {Settings} → {Privacy} you see whom you have blocked. With {Report …} in the menu of a message you tell those who run the server.',
      words: 'block blocked unblock spam report abuse',
    },
    receipts: {
      title: 'What others see of you',
      text: 'Open {Menu} → {Settings} → {Privacy}: choose whether others see {When you’re online} and {Read receipts}.',
      words: 'privacy receipts online seen private see read',
    },
    emoji: {
      title: 'Emoji of your own',
      text: 'Open {Menu} → {Settings} → {Emoji} and choose {Add an emoji}. Everyone here can use it.',
      words: 'emoji emojis smiley sticker',
    },
  },
};

import { calls, type GuideTexts, names } from './texts.ts';

export const chinese: GuideTexts = {
  overview: `你好！我是 Parley 的向导。在 Parley，人与 AI 智能体平等对话。和我聊天不需要密钥。

在这里你可以：

- 与人和智能体**聊天**，可以私聊，也可以在带频道和话题的群组里聊。
- **看着回答逐字出现**。回答保存在服务器上：换个设备或稍后再来，全文都在。
- **使用自己的智能体**。\`<you>:provider_a\` 和 \`<you>:provider_b\` 已经是你的了，只差密钥。
- **编写机器人**，让它像其他人一样参与。

问问我关于**密钥**、**群组**、**机器人**、如何**停止**回答，或者所有**命令**。`,

  unsure: `这个我不知道。我只是一个小程序，答案都是固定的，并不是模型。

你可以问我关于**密钥**、**群组**、**机器人**、如何**停止**回答，或者所有**命令**。想问别的，请为你的一个智能体设置密钥，然后给它写消息。`,

  keys: `**设置密钥**

你一开始就有两个智能体：\`<you>:provider_a\` 和 \`<you>:provider_b\`。如果此服务器没有另行配置，前者使用 Anthropic 的模型，后者使用 OpenAI 的模型。设置好对应服务商的 API 密钥后，它们就会回答。

在应用中：打开**菜单 → 智能体和密钥**，粘贴密钥。用 API：

${calls.key}

- 密钥加密保存，之后只会显示最后几个字符。请不要把密钥发到聊天里。
- \`getMyAgents\` 列出你的哪些智能体有密钥，\`removeAgentKey\` 移除密钥。
- 然后就可以开始聊天：\`startChat { "username": "<you>:provider_a" }\`，像给我写消息一样给它写。`,

  groups: `**群组里的智能体**

在应用中：点击会话列表上方的铅笔，选择**创建群组**。然后打开群组详情，点击**智能体 → 添加我的智能体**，再把邀请链接发给还没有账号的人。用 API：

1. 创建群组：\`startChat { "usernames": ["bob"], "title": "计划" }\`。之后用 \`addMembers\` 添加更多成员。
2. 添加你的一个智能体：

${calls.addAgent}

3. 在消息中提及它：\`@<you>:provider_a 你怎么看？\`，或者回复它的一条消息，它就会回答。

- 设置 \`"always_on": true\` 后，它会回答人发送的每条消息。之后可以用 \`setGroupAgentMode\` 更改，用 \`removeGroupAgent\` 将它移出。
- 设置 \`"follows_threads": true\`（在 \`setGroupAgentMode\` 中）后，在话题里向它提问过一次，它就会一直回答该话题中的人，直到那里 30 分钟没有新消息，或有人将它移出话题。
- \`getGroupAgents\` 列出群组里的智能体。
- 智能体可以互相提及。这样的连锁会在几轮后停止。`,

  stop: `**停止回答**

在应用中：点击回答下方的**停止**，或输入框旁的方形按钮，也可以输入 \`/stop\`。用 API：

${calls.stop}

- \`message_id\` 是正在生成的回答。省略它，就会停止该聊天中的所有回答。
- 已经生成的文字会保留。还没有文字的回答会消失。
- 你可以停止自己请求的回答，以及你的智能体的回答。群主和管理员可以停止群组里的任何回答。`,

  bots: `**编写机器人**

在应用中：**菜单 → 设置 → 机器人**可以创建它的账号，并显示一次令牌。然后在服务的文件夹中运行 \`npm run new-bot -- my-bot\`，就能得到一个马上可用的程序。想用 API 自己编写：

1. 创建账号：\`createBot { "slug": "helper", "display_name": "Helper" }\` 返回 \`<you>:helper\` 和一个只显示一次的令牌。用 \`rotateBotToken\` 可以更换令牌。
2. 用该令牌连接 \`/api/ws?token=mb_…\`。如果消息的 \`dispatch\` 中有你的机器人，就轮到它了。
3. 逐段发送它的回答：

${calls.stream}

- \`offset\` 是加上这一段后的总长度（字节），因此重复发送同一段也没问题。
- 如果返回 \`cancel_requested\`，说明有人想停止回答：请以 \`cancelled\` 结束它。
- 简短的回答直接用 \`sendMessage\` 就行。`,

  commands: `**命令**

在应用中：在输入框输入 \`/\` 查看命令，按 \`?\` 查看键盘快捷键，按 \`Ctrl K\` 或 \`⌘K\` 搜索。用 API：每个命令都是带 JSON 正文的 \`POST /api/<name>\`，或套接字请求 \`{ "id": 1, "method": "<name>", "params": { … } }\`。完整列表和所有字段见 \`/docs\`。

- **消息**：${names.messages}
- **聊天和群组**：${names.chats}
- **智能体**：${names.agents}
- **机器人**：${names.bots}
- **同步**：${names.updates}

问问我关于**密钥**、**群组**、**机器人**，或者如何**停止**回答。`,
};

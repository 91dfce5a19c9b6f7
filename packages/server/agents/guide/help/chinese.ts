import type { HelpTexts } from './topics.ts';

export const chinese: HelpTexts = {
  name: '帮助',
  hello:
    '你好！我是 Parley 的向导。我不需要密钥，回答关于应用的问题。可以问“怎么创建智能体？”“怎么邀请朋友？”或“怎么打开深色模式？”',
  unknown:
    '这个我不知道。我是一个了解这个应用的小程序，不是模型。请问我这里的用法：智能体、密钥、群组、文件、搜索或通知。',
  found: '我不太确定，但文档（英文）里这样写：',
  open: '打开',
  more: '全部帮助',
  sections: {
    start: '第一步',
    chats: '聊天和群组',
    agents: '智能体',
    keys: '密钥和费用',
    files: '文件',
    search: '搜索',
    notifications: '通知',
    privacy: '隐私和安全',
  },
  topics: {
    agent: {
      title: '不写代码就创建智能体',
      text: '打开 {Menu} → {Agents and keys}，点 {New agent}。给它取名，用你自己的话说明它该做什么，再选择谁可以用它。保存之前，可以在表单旁边试用。',
      words: '智能体 助手 代理 创建 制作 代码 编程',
    },
    key: {
      title: '添加 API 密钥',
      text: '打开 {Menu} → {Agents and keys}，选择智能体，粘贴你在 Anthropic 或 OpenAI 的密钥。密钥会加密保存，只显示最后几个字符。不要把密钥发到聊天里。',
      words: '密钥 密鑰 金鑰 api anthropic claude openai gpt 提供商 模型',
    },
    cost: {
      title: '费用和限额',
      text: '提供商向密钥的主人收费。发送之前，输入框上方会写明谁付费。在智能体的设置里可以设限额：{Monthly token limit}、{Monthly tokens in each group} 和 {Daily tokens for each of them}。',
      words: '费用 多少钱 价格 付费 花费 预算 限额 令牌 免费',
    },
    stop: {
      title: '停止回复',
      text: '点回复下方的 {Stop}，或输入框旁边的方形按钮。已经写出的内容会保留。',
      words: '停止 停下 中止 取消 打断',
    },
    agentInGroup: {
      title: '群组里的智能体',
      text: '打开群组的详情，在 {Agents} 下点 {Add yours}。有人用 `@` 提到它或回复它时，它会回答。想让它总是回答，选择 {Answer every message}。',
      words: '智能体 群组 群聊 提到 总是',
    },
    actions: {
      title: '智能体替你做的事',
      text: '智能体在使用可能改变某些东西的工具之前会先问你，除非你或它的所有者事先已经允许。在 {Menu} → {Settings} → {Agent actions} 可以看到智能体以你的名义做了什么，并收回你的许可。',
      words: '工具 操作 许可 权限 mcp',
    },
    bots: {
      title: '给会编程的人：机器人',
      text: '在 {Menu} → {Settings} → {Bots} 创建机器人的账号并获得令牌。开发者文档会在五分钟内带你做出一个机器人。',
      words: '机器人 機器人 webhook sdk 开发 程序',
    },
    invite: {
      title: '邀请朋友',
      text: '打开群组的详情，选择 {Invite link}。创建链接并发出去：打开它的人可以注册账号并直接进群。已有账号的人用 {Add people} 添加。',
      words: '邀请 邀請 朋友 同事 链接',
    },
    browse: {
      title: '寻找公开群组',
      text: '打开 {Menu} → {Browse groups}。每个群组都写明了主题。加入之后才能阅读消息。',
      words: '公开 浏览 加入 发现',
    },
    group: {
      title: '创建群组',
      text: '点会话列表上方的铅笔，选择 {Make a group}，取名并添加成员。详情里有 {Channels}、成员和设置。',
      words: '群组 群組 团队 频道 成员 建群',
    },
    later: {
      title: '稍后发送和提醒',
      text: '写好消息，打开发送按钮的菜单，选择 {Send later}。要提醒自己某条消息，打开它的菜单，选择 {Remind me}。等待中的在 {Menu} → {Scheduled}。',
      words: '稍后 定时 提醒 明天 重复',
    },
    messages: {
      title: '回复、回应、编辑、删除',
      text: '把指针移到消息上，在手机上则长按：那里有 {Reply}、{React}、{Forward}、{Edit} 和 {Delete}。用 {Reply in thread} 可以在会话旁边讨论它。',
      words: '消息 编辑 删除 转发 表情回应 话题 置顶',
    },
    chat: {
      title: '给某人写消息',
      text: '点会话列表上方的铅笔，输入名字。人和智能体在同一个列表里。',
      words: '聊天 写消息 联系 会话 找人',
    },
    voice: {
      title: '语音消息',
      text: '点输入框旁边的 {Record a voice message}，说话，再点 {Send the voice message}。支持的智能体会读文字稿。',
      words: '语音 录音 麦克风 文字稿',
    },
    files: {
      title: '发送照片和文件',
      text: '把文件拖进会话、粘贴，或点回形针。智能体能看到会话里的照片、PDF、办公文件和文本文件。聊天的所有文件在详情的 {Photos and files} 里。',
      words: '文件 照片 图片 pdf 文档 上传 附件 视频',
    },
    search: {
      title: '查找',
      text: '点会话列表上方的 {Search}，或按 Ctrl K（Mac 上是 ⌘K）。能找到消息、文件里的词、人，以及应用的功能。筛选可以限定到某个人、某一天或某个会话。',
      words: '搜索 查找 寻找 筛选 快捷键',
    },
    mute: {
      title: '让会话安静',
      text: '在列表里打开会话的菜单，选择 {Mute}：一小时、一周，或直到你更改。',
      words: '静音 安静 免打扰 吵',
    },
    notifications: {
      title: '通知',
      text: '打开 {Menu} → {Settings} → {Notifications}，开启 {Notifications on this device}。在那里还可以选择收到什么，以及声音。',
      words: '通知 推送 声音',
    },
    inbox: {
      title: '与你有关的',
      text: '列表上方的 {For you} 汇集所有会话里提到你、回复你和问你的内容，直到你标为完成。',
      words: '收件箱 错过 未读 与我有关',
    },
    language: {
      title: '更改语言',
      text: '打开 {Menu} → {Settings} → {Appearance}，在 {Language} 里选择。',
      words: '语言 語言 中文 英文 翻译',
    },
    dark: {
      title: '深色模式和文字大小',
      text: '打开 {Menu} → {Settings} → {Appearance}。在 {Colours} 里选择 {Dark}、{Light} 或 {System}；在 {Text size} 里选择更大的字。',
      words: '深色 暗色 夜间 浅色 主题 颜色 外观 字体 模式',
    },
    password: {
      title: '修改密码',
      text: '打开 {Menu} → {Settings} → {Profile}，选择 {Change password}。你的其他设备都会退出登录。',
      words: '密码 密碼',
    },
    deletion: {
      title: '你的数据和删除账号',
      text: '打开 {Menu} → {Settings} → {Profile}。在 {Your data} 下载副本；{Delete account} 会永久删除你的账号。',
      words: '账号 帐号 数据 注销 导出 下载',
    },
    profile: {
      title: '你的名字、头像和状态',
      text: '打开 {Menu} → {Settings} → {Profile}：更改名字、{Change picture} 或 {Set a status}。',
      words: '名字 头像 资料 状态',
    },
    devices: {
      title: '你在哪里登录',
      text: '打开 {Menu} → {Settings} → {Devices}。让不认识的设备退出登录，或选择 {Sign out all others}。',
      words: '设备 登录 登出 退出',
    },
    block: {
      title: '屏蔽某人',
      text: '打开与此人的聊天，再打开详情，选择 {Block}。在 {Menu} → {Settings} → {Privacy} 可以看到你屏蔽了谁。用消息菜单里的 {Report …} 告诉运营服务器的人。',
      words: '屏蔽 拉黑 骚扰 垃圾 举报',
    },
    receipts: {
      title: '别人能看到你的什么',
      text: '打开 {Menu} → {Settings} → {Privacy}：选择别人能否看到 {When you’re online} 和 {Read receipts}。',
      words: '隐私 已读 在线',
    },
    emoji: {
      title: '自己的表情',
      text: '打开 {Menu} → {Settings} → {Emoji}，选择 {Add an emoji}。这里的所有人都能用。',
      words: '表情 贴纸',
    },
  },
};

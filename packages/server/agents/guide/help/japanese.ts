import type { HelpTexts } from './topics.ts';

export const japanese: HelpTexts = {
  name: 'ヘルプ',
  hello:
    'こんにちは！Parley のガイドです。キーなしで動き、アプリについての質問に答えます。「エージェントを作るには？」「友達を招待するには？」「ダークモードにするには？」などと聞いてください。',
  unknown:
    'それはわかりません。私はアプリのことを知っている小さなプログラムで、モデルではありません。エージェント、キー、グループ、ファイル、検索、通知など、ここでの使い方を聞いてください。',
  found: '確かではありませんが、ドキュメント（英語）にはこうあります：',
  open: '開く',
  more: 'すべてのヘルプ',
  sections: {
    start: 'はじめに',
    chats: 'チャットとグループ',
    agents: 'エージェント',
    keys: 'キーと料金',
    files: 'ファイル',
    search: '検索',
    notifications: '通知',
    privacy: 'プライバシーと安全',
  },
  topics: {
    agent: {
      title: 'コードなしでエージェントを作る',
      text: '{Menu} → {Agents and keys} を開き、{New agent} を押します。名前を付け、何をしてほしいかを自分の言葉で書き、使える人を選びます。保存する前に、フォームの横で試せます。',
      words: 'エージェント アシスタント 作る 作り 作成 コード プログラミング',
    },
    key: {
      title: 'API キーを追加する',
      text: '{Menu} → {Agents and keys} を開き、エージェントを選んで、Anthropic か OpenAI のキーを貼り付けます。キーは暗号化して保存され、表示されるのは末尾の数文字だけです。チャットには決してキーを書かないでください。',
      words: 'キー 鍵 api anthropic claude openai gpt プロバイダー モデル',
    },
    cost: {
      title: '料金と上限',
      text: '料金はプロバイダーからキーの持ち主に請求されます。送信する前に、入力欄の上に誰が払うかが表示されます。エージェントの設定で上限を決められます：{Monthly token limit}、{Monthly tokens in each group}、{Daily tokens for each of them}。',
      words: '料金 費用 値段 いくら 払 お金 予算 上限 トークン 無料',
    },
    stop: {
      title: '返信を止める',
      text: '返信の下の {Stop} か、入力欄の横の四角いボタンを押します。それまでに書かれた文は残ります。',
      words: '止め 停止 中止 中断 やめ',
    },
    agentInGroup: {
      title: 'グループのエージェント',
      text: 'グループの詳細を開き、{Agents} の {Add yours} を押します。誰かが `@` でメンションするか、返信すると答えます。いつも答えてほしいときは {Answer every message} を選びます。',
      words: 'エージェント グループ メンション いつも',
    },
    actions: {
      title: 'エージェントがあなたの代わりにすること',
      text: '何かを変えるかもしれないツールを使う前に、エージェントはあなたに確認します。あなたか所有者が前もって許可したときは確認しません。{Menu} → {Settings} → {Agent actions} で、あなたとして行われたことを見て、許可を取り消せます。',
      words: 'ツール 操作 許可 権限 mcp',
    },
    bots: {
      title: 'プログラムを書く人のためのボット',
      text: '{Menu} → {Settings} → {Bots} でボットのアカウントを作り、トークンを受け取ります。開発者向けドキュメントを見れば、5 分でボットが作れます。',
      words: 'ボット webhook sdk 開発 プログラム',
    },
    invite: {
      title: '友達を招待する',
      text: 'グループの詳細を開き、{Invite link} を選びます。リンクを作って送ると、開いた人はアカウントを作ってすぐにグループに入れます。アカウントのある人は {Add people} で追加します。',
      words: '招待 招く 友達 友人 同僚 リンク',
    },
    browse: {
      title: '公開グループを探す',
      text: '{Menu} → {Browse groups} を開きます。それぞれのグループに説明があります。メッセージは参加すると読めます。',
      words: '公開 参加 一覧',
    },
    group: {
      title: 'グループを作る',
      text: '会話一覧の上の鉛筆を押し、{Make a group} を選び、名前を付けて人を追加します。詳細には {Channels}、メンバー、設定があります。',
      words: 'グループ チーム チャンネル メンバー',
    },
    later: {
      title: '後で送る、リマインダー',
      text: 'メッセージを書き、送信ボタンのメニューから {Send later} を選びます。メッセージを思い出したいときは、そのメニューで {Remind me} を選びます。待っているものは {Menu} → {Scheduled} にあります。',
      words: '後で 予約 リマインド リマインダー 明日 繰り返',
    },
    messages: {
      title: '返信、リアクション、編集、削除',
      text: 'メッセージにポインターを合わせるか、スマートフォンでは長押しします。{Reply}、{React}、{Forward}、{Edit}、{Delete} があります。{Reply in thread} では、会話とは別に話せます。',
      words: 'メッセージ 編集 削除 転送 リアクション スレッド ピン',
    },
    chat: {
      title: '誰かに書く',
      text: '会話一覧の上の鉛筆を押し、名前を入力します。人もエージェントも同じ一覧にあります。',
      words: 'チャット 書く 話す 会話 連絡 相手',
    },
    voice: {
      title: '音声メッセージ',
      text: '入力欄の横の {Record a voice message} を押して話し、{Send the voice message} を押します。対応するエージェントは文字起こしを読みます。',
      words: '音声 録音 マイク 文字起こし',
    },
    files: {
      title: '写真とファイルを送る',
      text: 'ファイルを会話にドロップするか、貼り付けるか、クリップを押します。エージェントは会話の写真、PDF、Office ファイル、テキストを見ます。チャットのファイルはすべて、詳細の {Photos and files} にあります。',
      words: 'ファイル 写真 画像 pdf 文書 アップロード 添付 動画',
    },
    search: {
      title: '探す',
      text: '会話一覧の上の {Search}、または Ctrl K（Mac は ⌘K）を押します。メッセージ、ファイルの中の言葉、人、アプリの機能が見つかります。フィルターで人、日、会話に絞れます。',
      words: '検索 探す 探し 見つけ フィルター ショートカット',
    },
    mute: {
      title: '会話をミュートする',
      text: '一覧で会話のメニューを開き、{Mute} を選びます。1 時間、1 週間、または変更するまで静かになります。',
      words: 'ミュート 静か うるさい',
    },
    notifications: {
      title: '通知',
      text: '{Menu} → {Settings} → {Notifications} を開き、{Notifications on this device} をオンにします。届くものや音もここで選べます。',
      words: '通知 お知らせ プッシュ サウンド',
    },
    inbox: {
      title: 'あなたに関係すること',
      text: '一覧の上の {For you} には、すべての会話からあなたへのメンション、返信、質問が集まり、完了にするまで残ります。',
      words: '受信 見逃 未読 自分宛',
    },
    language: {
      title: '言語を変える',
      text: '{Menu} → {Settings} → {Appearance} を開き、{Language} で選びます。',
      words: '言語 日本語 英語 翻訳',
    },
    dark: {
      title: 'ダークモードと文字の大きさ',
      text: '{Menu} → {Settings} → {Appearance} を開きます。{Colours} で {Dark}、{Light}、{System} を、{Text size} で大きな文字を選べます。',
      words: 'ダーク 暗い ライト テーマ 色 外観 文字サイズ 夜 モード',
    },
    password: {
      title: 'パスワードを変える',
      text: '{Menu} → {Settings} → {Profile} を開き、{Change password} を選びます。ほかの端末はすべてサインアウトされます。',
      words: 'パスワード',
    },
    deletion: {
      title: 'データとアカウントの削除',
      text: '{Menu} → {Settings} → {Profile} を開きます。{Your data} でコピーをダウンロードでき、{Delete account} でアカウントを完全に削除します。',
      words: 'アカウント データ 退会 エクスポート ダウンロード',
    },
    profile: {
      title: '名前、写真、ステータス',
      text: '{Menu} → {Settings} → {Profile} を開き、名前を変えるか、{Change picture} や {Set a status} を選びます。',
      words: '名前 プロフィール アイコン ステータス',
    },
    devices: {
      title: 'サインインしている場所',
      text: '{Menu} → {Settings} → {Devices} を開きます。知らない端末をサインアウトさせるか、{Sign out all others} を選びます。',
      words: '端末 デバイス セッション サインイン サインアウト ログイン ログアウト',
    },
    block: {
      title: '誰かをブロックする',
      text: 'その人とのチャットの詳細を開き、{Block} を選びます。ブロックした人は {Menu} → {Settings} → {Privacy} にあります。メッセージのメニューの {Report …} で、サーバーの運営者に知らせます。',
      words: 'ブロック 迷惑 スパム 報告 通報',
    },
    receipts: {
      title: 'ほかの人に見えること',
      text: '{Menu} → {Settings} → {Privacy} を開き、{When you’re online} と {Read receipts} をほかの人に見せるかを選びます。',
      words: 'プライバシー 既読 オンライン',
    },
    emoji: {
      title: '自分の絵文字',
      text: '{Menu} → {Settings} → {Emoji} を開き、{Add an emoji} を選びます。ここの誰もが使えます。',
      words: '絵文字 スタンプ',
    },
  },
};

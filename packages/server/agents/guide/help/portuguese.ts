import type { HelpTexts } from './topics.ts';

export const portuguese: HelpTexts = {
  name: 'Ajuda',
  hello:
    'Olá! Sou o guia do Parley. Funciono sem chave e respondo a perguntas sobre o app. Experimente “Como crio um agente?”, “Como convido um amigo?” ou “Como ativo o modo escuro?”',
  unknown:
    'Não sei. Sou um pequeno programa que conhece o app, não um modelo. Pergunte como algo funciona aqui: agentes, chaves, grupos, arquivos, busca ou notificações.',
  found: 'Não tenho certeza, mas a documentação (em inglês) diz isto:',
  open: 'Abrir',
  more: 'Toda a ajuda',
  sections: {
    start: 'Primeiros passos',
    chats: 'Chats e grupos',
    agents: 'Agentes',
    keys: 'Chaves e dinheiro',
    files: 'Arquivos',
    search: 'Busca',
    notifications: 'Notificações',
    privacy: 'Privacidade e segurança',
  },
  topics: {
    agent: {
      title: 'Criar um agente, sem código',
      text: 'Abra {Menu} → {Agents and keys} e toque em {New agent}. Dê um nome, diga com suas palavras o que ele deve fazer e escolha quem pode usá-lo. Você pode testá-lo ao lado do formulário antes de salvar.',
      words: 'agente assistente criar crio cria fazer faço código programar',
    },
    key: {
      title: 'Adicionar uma chave de API',
      text: 'Abra {Menu} → {Agents and keys}, escolha o agente e cole sua chave da Anthropic ou da OpenAI. Ela é guardada criptografada, e só os últimos caracteres são mostrados. Nunca escreva uma chave em um chat.',
      words: 'chave api anthropic claude openai gpt provedor modelo',
    },
    cost: {
      title: 'Quanto custa, e limites',
      text: 'O provedor cobra do dono da chave. Acima do campo de texto você vê quem paga antes de enviar. Nas configurações de um agente você define limites: {Monthly token limit}, {Monthly tokens in each group} e {Daily tokens for each of them}.',
      words: 'custa custo preço pagar paga dinheiro orçamento limite token fatura grátis',
    },
    stop: {
      title: 'Parar uma resposta',
      text: 'Toque em {Stop} abaixo da resposta, ou no quadrado ao lado do campo de texto. O que já foi escrito fica.',
      words: 'parar paro interromp cancelar',
    },
    agentInGroup: {
      title: 'Agentes em um grupo',
      text: 'Abra os detalhes do grupo e toque em {Add yours} em {Agents}. Ele responde quando alguém o menciona com `@` ou responde a ele. Escolha {Answer every message} se deve responder sempre.',
      words: 'agente grupo mencion adicionar sempre',
    },
    actions: {
      title: 'O que os agentes fazem por você',
      text: 'Antes de usar uma ferramenta que pode mudar algo, um agente pergunta a você, a menos que você ou o dono dele tenha permitido isso antes. Em {Menu} → {Settings} → {Agent actions} você vê o que os agentes fizeram em seu nome e retira o que permitiu.',
      words: 'ferramenta ação ações permit permiss mcp',
    },
    bots: {
      title: 'Bots, para quem programa',
      text: 'Em {Menu} → {Settings} → {Bots} você cria a conta de um bot e recebe o token. A documentação para desenvolvedores leva a um bot em cinco minutos.',
      words: 'bot bots webhook sdk desenvolvedor programa',
    },
    invite: {
      title: 'Convidar um amigo',
      text: 'Abra um grupo, depois os detalhes, e escolha {Invite link}. Crie um link e envie: quem o abre pode criar uma conta e entra no grupo. Quem já tem conta é adicionado com {Add people}.',
      words: 'convid amig colega entrar link',
    },
    browse: {
      title: 'Encontrar grupos públicos',
      text: 'Abra {Menu} → {Browse groups}. Cada grupo diz do que se trata. Você lê as mensagens depois de entrar.',
      words: 'públic explorar descobr entrar',
    },
    group: {
      title: 'Criar um grupo',
      text: 'Toque no lápis acima das suas conversas, escolha {Make a group}, dê um nome e adicione pessoas. Nos detalhes ficam {Channels}, os membros e as configurações.',
      words: 'grupo equipe canal canais criar membro',
    },
    later: {
      title: 'Enviar mais tarde, e lembretes',
      text: 'Escreva a mensagem, abra o menu do botão de enviar e escolha {Send later}. Para ser lembrado de uma mensagem, abra o menu dela e escolha {Remind me}. O que espera fica em {Menu} → {Scheduled}.',
      words: 'tarde agendad lembr amanhã repetir',
    },
    messages: {
      title: 'Responder, reagir, editar, apagar',
      text: 'Aponte para uma mensagem, ou segure-a no celular: ali estão {Reply}, {React}, {Forward}, {Edit} e {Delete}. Com {Reply in thread} vocês falam dela ao lado da conversa.',
      words: 'mensagem responder editar apagar excluir encaminhar reaç reagir fio fixar',
    },
    chat: {
      title: 'Escrever para alguém',
      text: 'Toque no lápis acima das suas conversas e digite um nome. Pessoas e agentes estão na mesma lista.',
      words: 'chat escrev falar conversa contato',
    },
    voice: {
      title: 'Mensagens de voz',
      text: 'Toque em {Record a voice message} ao lado do campo de texto, fale e toque em {Send the voice message}. Os agentes que podem leem uma transcrição.',
      words: 'voz gravar gravação microfone áudio transcri',
    },
    files: {
      title: 'Enviar fotos e arquivos',
      text: 'Solte arquivos na conversa, cole-os ou toque no clipe. Os agentes veem as fotos, os PDFs e os arquivos de escritório e de texto da conversa. Todos os arquivos de um chat ficam nos detalhes, em {Photos and files}.',
      words: 'arquivo ficheiro foto imagem pdf documento anex enviar vídeo',
    },
    search: {
      title: 'Encontrar algo',
      text: 'Toque em {Search} acima das suas conversas, ou Ctrl K (⌘K no Mac). Encontra mensagens, palavras em arquivos, pessoas e o que o app sabe fazer. Os filtros limitam a uma pessoa, um dia ou uma conversa.',
      words: 'busca buscar procur encontrar filtro teclado atalho',
    },
    mute: {
      title: 'Silenciar uma conversa',
      text: 'Abra o menu da conversa na lista e escolha {Mute}: por uma hora, uma semana ou até você mudar.',
      words: 'silenci barulho',
    },
    notifications: {
      title: 'Notificações',
      text: 'Abra {Menu} → {Settings} → {Notifications} e ative {Notifications on this device}. Ali você também escolhe o que chega a você, e os sons.',
      words: 'notifica aviso avisos push som sons',
    },
    inbox: {
      title: 'O que diz respeito a você',
      text: '{For you}, acima da lista, reúne menções, respostas e perguntas a você de todas as conversas, até você marcá-las como feitas.',
      words: 'entrada menções perdi lidas respeito',
    },
    language: {
      title: 'Mudar o idioma',
      text: 'Abra {Menu} → {Settings} → {Appearance} e escolha em {Language}.',
      words: 'idioma língua português inglês tradu',
    },
    dark: {
      title: 'Modo escuro e tamanho do texto',
      text: 'Abra {Menu} → {Settings} → {Appearance}. Em {Colours} escolha {Dark}, {Light} ou {System}; em {Text size}, letras maiores.',
      words: 'escuro claro tema cores aparência letra tamanho noite modo',
    },
    password: {
      title: 'Mudar sua senha',
      text: 'Abra {Menu} → {Settings} → {Profile} e escolha {Change password}. Seus outros aparelhos são desconectados.',
      words: 'senha',
    },
    deletion: {
      title: 'Seus dados, e excluir sua conta',
      text: 'Abra {Menu} → {Settings} → {Profile}. Em {Your data} você baixa uma cópia; {Delete account} exclui sua conta para sempre.',
      words: 'conta dados exportar baixar',
    },
    profile: {
      title: 'Seu nome, foto e status',
      text: 'Abra {Menu} → {Settings} → {Profile}: mude seu nome, {Change picture} ou {Set a status}.',
      words: 'nome perfil avatar status',
    },
    devices: {
      title: 'Onde você está conectado',
      text: 'Abra {Menu} → {Settings} → {Devices}. Desconecte ali um aparelho que não conhece, ou escolha {Sign out all others}.',
      words: 'aparelho dispositivo sessão sessões conectado desconect sair',
    },
    block: {
      title: 'Bloquear alguém',
      text: 'Abra o chat com a pessoa, depois os detalhes, e escolha {Block}. Em {Menu} → {Settings} → {Privacy} você vê quem bloqueou. Com {Report …}, no menu de uma mensagem, você avisa quem cuida do servidor.',
      words: 'bloque spam denunci assédio',
    },
    receipts: {
      title: 'O que os outros veem de você',
      text: 'Abra {Menu} → {Settings} → {Privacy}: escolha se os outros veem {When you’re online} e {Read receipts}.',
      words: 'privacidade leitura online lida veem',
    },
    emoji: {
      title: 'Emojis próprios',
      text: 'Abra {Menu} → {Settings} → {Emoji} e escolha {Add an emoji}. Todos aqui podem usá-lo.',
      words: 'emoji carinha',
    },
  },
};

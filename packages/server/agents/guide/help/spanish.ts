import type { HelpTexts } from './topics.ts';

export const spanish: HelpTexts = {
  name: 'Ayuda',
  hello:
    '¡Hola! Soy la guía de Parley. Funciono sin clave y respondo preguntas sobre la app. Prueba con «¿Cómo creo un agente?», «¿Cómo invito a un amigo?» o «¿Cómo activo el modo oscuro?».',
  unknown:
    'No lo sé. Soy un pequeño programa que conoce la app, no un modelo. Pregúntame cómo funciona algo aquí: agentes, claves, grupos, archivos, búsqueda o notificaciones.',
  found: 'No estoy seguro, pero la documentación (en inglés) dice esto:',
  open: 'Abrir',
  more: 'Toda la ayuda',
  sections: {
    start: 'Primeros pasos',
    chats: 'Chats y grupos',
    agents: 'Agentes',
    keys: 'Claves y dinero',
    files: 'Archivos',
    search: 'Búsqueda',
    notifications: 'Notificaciones',
    privacy: 'Privacidad y seguridad',
  },
  topics: {
    agent: {
      title: 'Crear un agente, sin código',
      text: 'Abre {Menu} → {Agents and keys} y pulsa {New agent}. Ponle un nombre, di con tus palabras qué debe hacer y elige quién puede usarlo. Puedes probarlo junto al formulario antes de guardar.',
      words: 'agente asistente crear creo crea hacer hago código programar',
    },
    key: {
      title: 'Añadir una clave de API',
      text: 'Abre {Menu} → {Agents and keys}, elige el agente y pega tu clave de Anthropic u OpenAI. Se guarda cifrada y solo se muestran sus últimos caracteres. Nunca escribas una clave en un chat.',
      words: 'clave api anthropic claude openai gpt proveedor modelo',
    },
    cost: {
      title: 'Cuánto cuesta, y los límites',
      text: 'El proveedor cobra al dueño de la clave. Encima del campo de texto ves quién paga antes de enviar. En los ajustes de un agente pones límites: {Monthly token limit}, {Monthly tokens in each group} y {Daily tokens for each of them}.',
      words: 'cuesta coste costo precio pagar paga dinero presupuesto límite token factura gratis',
    },
    stop: {
      title: 'Detener una respuesta',
      text: 'Pulsa {Stop} debajo de la respuesta, o el cuadrado junto al campo de texto. Lo ya escrito se queda.',
      words: 'deten detengo parar paro interromp interrump cancelar',
    },
    agentInGroup: {
      title: 'Agentes en un grupo',
      text: 'Abre los detalles del grupo y pulsa {Add yours} en {Agents}. Responde cuando alguien lo menciona con `@` o le responde. Elige {Answer every message} si debe responder siempre.',
      words: 'agente grupo mencion añadir siempre',
    },
    actions: {
      title: 'Lo que los agentes hacen por ti',
      text: 'Antes de usar una herramienta que pueda cambiar algo, un agente te pregunta, salvo que tú o su propietario lo hayáis permitido de antemano. En {Menu} → {Settings} → {Agent actions} ves lo que los agentes hicieron en tu nombre y retiras lo que permitiste.',
      words: 'herramienta accion acción permis permit mcp',
    },
    bots: {
      title: 'Bots, para quien programa',
      text: 'En {Menu} → {Settings} → {Bots} creas la cuenta de un bot y recibes su token. La documentación para desarrolladores te lleva a un bot en cinco minutos.',
      words: 'bot bots webhook sdk desarrollador programa',
    },
    invite: {
      title: 'Invitar a un amigo',
      text: 'Abre un grupo, luego sus detalles, y elige {Invite link}. Crea un enlace y envíalo: quien lo abre puede crear una cuenta y entra en el grupo. A quien ya tiene cuenta lo añades con {Add people}.',
      words: 'invit amig compañer unirse enlace',
    },
    browse: {
      title: 'Encontrar grupos públicos',
      text: 'Abre {Menu} → {Browse groups}. Cada grupo dice de qué trata. Lees sus mensajes cuando te has unido.',
      words: 'públic explorar descubr unirme',
    },
    group: {
      title: 'Crear un grupo',
      text: 'Pulsa el lápiz encima de tus conversaciones, elige {Make a group}, ponle un nombre y añade personas. En sus detalles están {Channels}, los miembros y los ajustes.',
      words: 'grupo equipo canal canales crear miembro',
    },
    later: {
      title: 'Enviar más tarde y recordatorios',
      text: 'Escribe tu mensaje, abre el menú del botón de enviar y elige {Send later}. Para que se te recuerde un mensaje, abre su menú y elige {Remind me}. Lo que espera está en {Menu} → {Scheduled}.',
      words: 'tarde programad record mañana repetir',
    },
    messages: {
      title: 'Responder, reaccionar, editar, eliminar',
      text: 'Señala un mensaje, o mantenlo pulsado en el teléfono: ahí están {Reply}, {React}, {Forward}, {Edit} y {Delete}. Con {Reply in thread} habláis de él junto a la conversación.',
      words: 'mensaje responder editar eliminar borrar reenviar reacci hilo fijar',
    },
    chat: {
      title: 'Escribir a alguien',
      text: 'Pulsa el lápiz encima de tus conversaciones y escribe un nombre. Personas y agentes están en la misma lista.',
      words: 'chat escrib hablar conversación contacto',
    },
    voice: {
      title: 'Mensajes de voz',
      text: 'Pulsa {Record a voice message} junto al campo de texto, habla y pulsa {Send the voice message}. Los agentes que pueden leen una transcripción.',
      words: 'voz grabar grabación micrófono audio transcri',
    },
    files: {
      title: 'Enviar fotos y archivos',
      text: 'Arrastra archivos a la conversación, pégalos o pulsa el clip. Los agentes ven las fotos, los PDF y los archivos de oficina y de texto de la conversación. Todos los archivos de un chat están en sus detalles, en {Photos and files}.',
      words: 'archivo foto imagen imágenes pdf documento subir adjunt vídeo',
    },
    search: {
      title: 'Encontrar algo',
      text: 'Pulsa {Search} encima de tus conversaciones, o Ctrl K (⌘K en un Mac). Encuentra mensajes, palabras en archivos, personas y lo que la app sabe hacer. Los filtros la limitan a una persona, un día o una conversación.',
      words: 'buscar busco búsqueda encontrar filtro teclado atajo',
    },
    mute: {
      title: 'Silenciar una conversación',
      text: 'Abre el menú de la conversación en la lista y elige {Mute}: una hora, una semana o hasta que lo cambies.',
      words: 'silenci ruido callar',
    },
    notifications: {
      title: 'Notificaciones',
      text: 'Abre {Menu} → {Settings} → {Notifications} y activa {Notifications on this device}. Ahí eliges también qué te llega, y los sonidos.',
      words: 'notificaci aviso avisos push sonido',
    },
    inbox: {
      title: 'Lo que te concierne',
      text: '{For you}, encima de la lista, reúne menciones, respuestas y preguntas para ti de todas las conversaciones, hasta que las marcas como hechas.',
      words: 'bandeja menciones perdí leídos concierne',
    },
    language: {
      title: 'Cambiar el idioma',
      text: 'Abre {Menu} → {Settings} → {Appearance} y elígelo en {Language}.',
      words: 'idioma lengua español inglés traduc',
    },
    dark: {
      title: 'Modo oscuro y tamaño del texto',
      text: 'Abre {Menu} → {Settings} → {Appearance}. En {Colours} elige {Dark}, {Light} o {System}; en {Text size}, letras más grandes.',
      words: 'oscuro claro tema color apariencia letra tamaño noche modo',
    },
    password: {
      title: 'Cambiar tu contraseña',
      text: 'Abre {Menu} → {Settings} → {Profile} y elige {Change password}. Se cierra la sesión en tus otros dispositivos.',
      words: 'contraseña',
    },
    deletion: {
      title: 'Tus datos, y eliminar tu cuenta',
      text: 'Abre {Menu} → {Settings} → {Profile}. En {Your data} descargas una copia; {Delete account} elimina tu cuenta para siempre.',
      words: 'cuenta datos exportar descargar',
    },
    profile: {
      title: 'Tu nombre, foto y estado',
      text: 'Abre {Menu} → {Settings} → {Profile}: cambia tu nombre, {Change picture} o {Set a status}.',
      words: 'nombre perfil avatar estado',
    },
    devices: {
      title: 'Dónde has iniciado sesión',
      text: 'Abre {Menu} → {Settings} → {Devices}. Cierra ahí la sesión de un dispositivo que no conozcas, o elige {Sign out all others}.',
      words: 'dispositivo sesión sesiones cerrar iniciar',
    },
    block: {
      title: 'Bloquear a alguien',
      text: 'Abre vuestro chat, luego sus detalles, y elige {Block}. En {Menu} → {Settings} → {Privacy} ves a quién has bloqueado. Con {Report …}, en el menú de un mensaje, avisas a quienes llevan el servidor.',
      words: 'bloque spam denunci acoso',
    },
    receipts: {
      title: 'Lo que otros ven de ti',
      text: 'Abre {Menu} → {Settings} → {Privacy}: elige si otros ven {When you’re online} y {Read receipts}.',
      words: 'privacidad lectura línea leído ven',
    },
    emoji: {
      title: 'Emojis propios',
      text: 'Abre {Menu} → {Settings} → {Emoji} y elige {Add an emoji}. Todos aquí pueden usarlo.',
      words: 'emoji emoticono',
    },
  },
};

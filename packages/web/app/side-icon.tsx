import { Bookmark, Bot, CalendarClock, Compass, KeyRound, LogOut, Settings, ShieldCheck, Smile } from 'lucide-react';

const icons = {
  status: Smile,
  saved: Bookmark,
  scheduled: CalendarClock,
  browse: Compass,
  shelf: Bot,
  settings: Settings,
  agents: KeyRound,
  admin: ShieldCheck,
  out: LogOut,
} as const;

/** The icons of the app's menu, which load with its first use. */
export default function SideIcon({ name }: { name: keyof typeof icons }) {
  const Icon = icons[name];
  return <Icon />;
}

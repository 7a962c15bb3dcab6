import type { ConsoleSettings } from "../../../../shared/contract/console.ts";

/** What the function writes into the page. */
export function readSettings(): ConsoleSettings {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="console"]');
  return JSON.parse(meta?.content ?? "") as ConsoleSettings;
}

import type { LiveTicket } from "../../shared/contract/live.ts";
import { isoTimestamp } from "../../shared/domain/clock.ts";

export function presentLiveTicket(
  websocketUrl: string,
  { text, expiresAtMs }: { readonly text: string; readonly expiresAtMs: number },
): LiveTicket {
  const url = new URL(websocketUrl);
  url.searchParams.set("ticket", text);
  return { ticket: text, url: url.href, expires_at: isoTimestamp(expiresAtMs) };
}

import { createStore } from "../shell/store.ts";
import { LiveChannel, type LiveSocket, type LiveState } from "./live-channel.ts";

export const liveState = createStore<LiveState>("idle");

export function openLive(credentials: string): LiveChannel {
  return new LiveChannel({
    openTicket: async () => await askTicket(credentials),
    openSocket: (url) => new WebSocket(url) as LiveSocket,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    onState: liveState.set,
  });
}

/** Not by the client: a refusal is not repeated at once, and the channel has pauses of its own. */
async function askTicket(credentials: string): Promise<string> {
  const response = await fetch("/v1/live-tickets", {
    method: "POST",
    headers: { authorization: `Bearer ${credentials}` },
  });
  if (!response.ok) throw new Error(`no live ticket: status ${response.status}`);
  const { url } = (await response.json()) as { url: string };
  return url;
}

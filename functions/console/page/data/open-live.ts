import { LiveChannel, type LiveSocket, type LiveState } from "../../../../shared/client/live-channel.ts";
import { createStore } from "../shell/store.ts";

export const liveState = createStore<LiveState>("idle");

export function openLive(authorized: typeof fetch): LiveChannel {
  return new LiveChannel({
    openTicket: async () => await askTicket(authorized),
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
async function askTicket(authorized: typeof fetch): Promise<string> {
  const response = await authorized("/v1/live-tickets", { method: "POST" });
  if (!response.ok) throw new Error(`no live ticket: status ${response.status}`);
  const { url } = (await response.json()) as { url: string };
  return url;
}

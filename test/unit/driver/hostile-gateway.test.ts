import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { dialWithin, type SocketEvents } from "../../../infra/driver/tunnel/socket.ts";
import { allHostile, startHostileServer } from "../../support/hostile-server.ts";

const dial = dialWithin(100);

interface Seen {
  readonly texts: string[];
  refusedWith: number | undefined;
  readonly closed: Promise<number>;
  readonly opened: Promise<void>;
}

function dialled(url: string): Seen {
  const closed = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<void>();
  const seen: Seen = { texts: [], refusedWith: undefined, closed: closed.promise, opened: opened.promise };
  const events: SocketEvents = {
    onOpen: () => opened.resolve(),
    onText: (text) => seen.texts.push(text),
    onRefused: (status) => {
      seen.refusedWith = status;
    },
    onClosed: (code) => closed.resolve(code),
  };
  const socket = dial(
    url.replace("http:", "ws:"),
    { authorization: "Bearer the-key-of-the-machine" },
    events,
  );
  onTestFinished(() => socket.terminate());
  return seen;
}

it.each(allHostile)(
  "a handshake with a gateway that %s ends in its time, and is sent nowhere else",
  async (behaviour) => {
    const peer = await startHostileServer(behaviour);
    const seen = dialled(peer.url);
    expect(await seen.closed).toBe(1006);
    expect(seen.texts).toEqual([]);
    expect(peer.strayed()).toBe("");
    expect(peer.sentBytes()).toBeLessThan(16_000_000);
  },
);

describe("an open socket", () => {
  const start = async (perMessageDeflate: boolean) => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate });
    onTestFinished(() => {
      for (const client of server.clients) client.terminate();
      server.close();
    });
    await once(server, "listening");
    const connected = once(server, "connection") as Promise<[WebSocket]>;
    const seen = dialled(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [[peer]] = await Promise.all([connected, seen.opened]);
    return { peer, seen };
  };

  it("takes no bytes for text, and goes on", async () => {
    const { peer, seen } = await start(false);
    peer.send(Buffer.from("{}"), { binary: true });
    peer.send("{}");
    peer.close();
    await seen.closed;
    expect(seen.texts).toEqual(["{}"]);
  });

  it("offers no compression, so that nothing is inflated", async () => {
    const { peer } = await start(true);
    expect(peer.extensions).toBe("");
  });

  it.each([
    ["one frame", (peer: WebSocket) => peer.send("x".repeat(131_073))],
    [
      "frames without end",
      (peer: WebSocket) => {
        for (let count = 0; count < 100; count += 1) peer.send("x".repeat(10_000), { fin: false });
      },
    ],
  ])("is closed by a message above 128 KB in %s", async (_, send) => {
    const { peer, seen } = await start(false);
    const code = once(peer, "close") as Promise<[number]>;
    send(peer);
    await seen.closed;
    expect((await code)[0]).toBe(1009);
    expect(seen.texts).toEqual([]);
  });
});

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createForwardDesktop } from "../../../infra/driver/desktops/forward-desktop.ts";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import { ifNoneMatch } from "../../../shared/vocabulary/drivers.ts";
import { askDesktop } from "../../support/fake-service/ask-desktop.ts";
import { type ScreenWorld, screenSuite } from "../../support/ports/screen.suite.ts";
import { openSimulatedWorld } from "../../support/screens/simulated-world.ts";

async function serve(desktop: Desktop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const answer = await askDesktop(
    desktop,
    request.method === "GET" ? "GET" : "POST",
    url.pathname.replace(/^\/computer\//, ""),
    {
      query: url.search.slice(1),
      body: await buffer(request),
      headers: {
        "content-type": request.headers["content-type"] ?? "",
        [ifNoneMatch]: request.headers[ifNoneMatch] ?? "",
      },
    },
  );
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

async function openForwardedWorld(world: ScreenWorld): Promise<ScreenWorld> {
  const server = createServer((request, response) => void serve(world.desktop, request, response));
  const { url, stop } = await listenOnLoopback(server, 0);
  return {
    ...world,
    desktop: createForwardDesktop(new URL(url)),
    async close() {
      await stop();
      await world.close?.();
    },
  };
}

screenSuite(() => openForwardedWorld(openSimulatedWorld()), { releasesHeld: false });

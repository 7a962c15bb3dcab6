import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { environment, runLine } from "../../../support/cli/run-line.ts";
import { refusal } from "../../../support/cli/run-service.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const endpoint = { id: "e-1", url: "", secret };
const body = '{"event_type":"run.complete",  "run":{"id":"r-1","status":"success"}}';

interface Listened {
  readonly failing?: () => Response;
  readonly receive?: () => Response | Promise<Response>;
}

/** A service with one endpoint, which gets three deliveries one after another. */
function service({ failing, receive = () => new Response(null, { status: 204 }) }: Listened = {}) {
  let polls = 0;
  const made: { url: string; event_types: string[] }[] = [];
  const deleted: string[] = [];
  const received: { headers: Headers; body: string }[] = [];
  const answer = async ({
    method,
    url,
    headers,
    body: sent = "",
  }: {
    method: string;
    url: string;
    headers: Headers;
    body: string | undefined;
  }) => {
    const { hostname, pathname } = new URL(url);
    if (hostname === "localhost") {
      received.push({ headers, body: sent });
      return await receive();
    }
    if (method === "DELETE") {
      deleted.push(pathname);
      return new Response(null, { status: 204 });
    }
    if (method === "POST") {
      made.push(JSON.parse(sent));
      return Response.json(endpoint, { status: 201 });
    }
    if (pathname.endsWith("/deliveries")) {
      polls += 1;
      if (failing !== undefined) return failing();
      const items = [3, 2, 1]
        .filter((each) => each <= polls + 1)
        .map((each) => ({ id: `d-${each}`, endpoint_id: "e-1", event_id: `ev-${each}` }));
      return Response.json({ items, total: items.length, skip: 0, limit: 100 });
    }
    if (pathname.includes("/deliveries/")) return Response.json({ event_type: "run.complete", body });
    return Response.json({ items: [], total: 0 });
  };
  return { answer, made, deleted, received, polls: () => polls };
}

async function listen(options: readonly string[], { answer, polls }: ReturnType<typeof service>) {
  let interrupt = () => {};
  const running = runLine(["webhooks", "listen", ...options], {
    answer,
    terminal: { environment },
    onInterrupt: (listener) => {
      interrupt = listener;
    },
  });
  await vi.waitFor(() => expect(polls()).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 50));
  interrupt();
  return await running;
}

describe("das webhooks listen", () => {
  it("makes an endpoint that leads nowhere, shows deliveries oldest first, and deletes it at ctrl-C", async () => {
    const world = service();
    const { code, shown } = await listen(["--events", "run.complete,run.held"], world);
    expect(world.made).toEqual([
      {
        url: expect.stringMatching(/^https:\/\/[\da-f-]{36}\.das-listen\.invalid\/$/),
        description: "das webhooks listen",
        event_types: ["run.complete", "run.held"],
      },
    ]);
    expect(shown.trim().split("\n")).toEqual([
      "2026-11-27T12:00:00Z  run.complete  run r-1 success",
      "2026-11-27T12:00:00Z  run.complete  run r-1 success",
    ]);
    expect([code, world.deleted]).toEqual([0, ["/v1/webhook-endpoints/e-1"]]);
  });

  it("forwards the same bytes under the service's headers, signed by the endpoint's secret", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 27, 12) });
    try {
      const world = service();
      const { shown } = await listen(["--forward", "http://localhost:3000/hook", "--jsonl"], world);
      const [first] = world.received;
      expect([first?.body, first?.headers.get("webhook-id")]).toEqual([body, "ev-1"]);
      const headers = Object.fromEntries(first?.headers ?? []);
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ event_type: "run.complete" });
      expect(headers.authorization).toBeUndefined();
      expect(JSON.parse(shown.split("\n")[0] ?? "")).toEqual({
        event: "run.complete",
        event_id: "ev-1",
        body: JSON.parse(body),
        forwarded: { status: 204, error: null },
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("goes on when the address does not respond, and says why", async () => {
    const world = service({
      receive: () => {
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
        });
      },
    });
    const { code, shown } = await listen(["--forward", "http://localhost:3000/hook"], world);
    expect(code).toBe(0);
    expect(shown.match(/not forwarded: ECONNREFUSED/g)).toHaveLength(2);
  });

  it("deletes the endpoint when the service refuses a read", async () => {
    const world = service({ failing: () => refusal(403, "insufficient_scope") });
    const { code, errors } = await listen([], world);
    expect([code, world.deleted]).toEqual([3, ["/v1/webhook-endpoints/e-1"]]);
    expect(errors).toContain("insufficient_scope");
  });

  it.each([
    ["an event that there is not", ["--events", "run.done"]],
    ["an address that is none", ["--forward", "localhost:3000"]],
  ])("is 2 for %s, and makes nothing", async (_what, options) => {
    const { code, sent } = await runLine(["webhooks", "listen", ...options]);
    expect([code, sent]).toEqual([2, []]);
  });
});

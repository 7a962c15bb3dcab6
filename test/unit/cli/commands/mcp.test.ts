import { describe, expect, it } from "vitest";
import { Bridge } from "../../../../infra/cli/commands/mcp/bridge.ts";
import { runLine } from "../../../support/cli/run-line.ts";

const version = "io.modelcontextprotocol/protocolVersion";
const text = (...messages: readonly object[]) => messages.map((each) => JSON.stringify(each)).join("\n");

describe("das mcp", () => {
  it("takes each line to the service, with the key and the headers of its version", async () => {
    const _meta = { [version]: "2026-07-28" };
    const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "look", _meta } };
    const { code, shown, sent } = await runLine(["mcp"], {
      terminal: { input: text(call) },
      answer: () => Response.json({ jsonrpc: "2.0", id: 7, result: { content: [] } }),
    });
    expect([code, shown]).toEqual([0, '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}\n']);
    const [request] = sent;
    expect(request?.url).toBe("https://api.example.com/mcp");
    expect(request?.body).toBe(JSON.stringify(call));
    const names = ["authorization", "mcp-protocol-version", "mcp-method", "mcp-name"];
    expect(names.map((name) => request?.headers.get(name))).toEqual([
      "Bearer das_key",
      "2026-07-28",
      "tools/call",
      "look",
    ]);
  });

  it("says of a notification nothing, and of what is no JSON that it is none", async () => {
    const { shown, sent } = await runLine(["mcp"], {
      terminal: { input: `${text({ jsonrpc: "2.0", method: "notifications/initialized" })}\n\n{` },
      answer: () => new Response(null, { status: 202 }),
    });
    expect(sent).toHaveLength(1);
    expect(JSON.parse(shown)).toMatchObject({ id: null, error: { code: -32_700 } });
  });

  it("hands a refusal of the API on as an error of the request", async () => {
    const { shown } = await runLine(["mcp"], {
      terminal: { input: text({ jsonrpc: "2.0", id: "a", method: "tools/list" }) },
      answer: () =>
        Response.json({ message: "too many requests", error_code: "rate_limited" }, { status: 429 }),
    });
    expect(JSON.parse(shown)).toMatchObject({
      id: "a",
      error: { message: "too many requests", data: { error_code: "rate_limited" } },
    });
  });

  it("says that the service was not reached, to the request that was sent", async () => {
    const { code, shown } = await runLine(["mcp"], {
      terminal: { input: text({ jsonrpc: "2.0", id: 1, method: "tools/list" }) },
      answer: () => {
        throw new TypeError("fetch failed");
      },
    });
    expect(code).toBe(0);
    expect(JSON.parse(shown)).toMatchObject({ id: 1, error: { message: "fetch failed" } });
  });
});

describe("a bridge", () => {
  function bridge(answer: (init: RequestInit) => Promise<Response>) {
    const written: object[] = [];
    const ticks: (() => void)[] = [];
    const sent: RequestInit[] = [];
    const made = new Bridge({
      url: "https://api.test",
      apiKey: "das_key",
      signal: new AbortController().signal,
      write: (message) => written.push(message),
      every: (_ms, work) => {
        ticks.push(work);
        return () => ticks.splice(0);
      },
      fetch: async (_input, init = {}) => {
        sent.push(init);
        return await answer(init);
      },
    });
    return { bridge: made, written, ticks, sent };
  }
  const aborted = (signal: AbortSignal | null | undefined) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });

  it("names the version of the handshake from then on", async () => {
    const result = { protocolVersion: "2025-11-25" };
    const { bridge: made, sent } = bridge(async () => Response.json({ jsonrpc: "2.0", id: 1, result }));
    await made.take(text({ jsonrpc: "2.0", id: 1, method: "initialize" }));
    await made.take(text({ jsonrpc: "2.0", id: 2, method: "tools/list" }));
    expect(sent.map(({ headers }) => new Headers(headers).get("mcp-protocol-version"))).toEqual([
      null,
      "2025-11-25",
    ]);
  });

  it("shows progress while a tool works, to whoever asked for it", async () => {
    const answered = Promise.withResolvers<Response>();
    const { bridge: made, written, ticks } = bridge(() => answered.promise);
    const params = { name: "wait_for_run", _meta: { progressToken: "p" } };
    const taken = made.take(text({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    ticks[0]?.();
    ticks[0]?.();
    expect(written).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "p", progress: 5 } },
      { method: "notifications/progress", params: { progressToken: "p", progress: 10 } },
    ]);
    answered.resolve(Response.json({ jsonrpc: "2.0", id: 1, result: {} }));
    await taken;
    expect(ticks).toEqual([]);
    expect(written.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it("ends what is cancelled, without a response", async () => {
    const { bridge: made, written } = bridge(async ({ signal, body }) =>
      String(body).includes("cancelled") ? new Response(null, { status: 202 }) : await aborted(signal),
    );
    const taken = made.take(text({ jsonrpc: "2.0", id: 1, method: "tools/call" }));
    await made.take(text({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }));
    await taken;
    expect(written).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { createApiClient } from "../../../shared/client/api-client.ts";

const id = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";

interface Reply {
  readonly body: object;
  readonly retryAfter?: string;
}

function clientOf(replies: readonly Reply[], attemptMs?: number) {
  const sent: string[] = [];
  const pauses: number[] = [];
  const client = createApiClient({
    baseUrl: "https://api.example",
    ...(attemptMs !== undefined && { attemptMs }),
    fetch: async (url) => {
      const reply = replies[sent.length];
      sent.push(String(url).replace(`https://api.example/v1/runs/${id}`, ""));
      if (reply === undefined) throw new Error("no more replies");
      const headers = reply.retryAfter === undefined ? {} : { "retry-after": reply.retryAfter };
      return Response.json(reply.body, { headers });
    },
    pause: async (ms) => {
      pauses.push(ms);
    },
  });
  return { client, sent, pauses };
}

const page = (indexes: readonly number[], run: object | null = null) => ({
  items: indexes.map((index) => ({ index })),
  run,
});

describe("runs.waitUntilEnded", () => {
  it("asks for the run with the revision that it has, until the run has ended", async () => {
    const ended = { status: "task_failed", revision: 4 };
    const replies = [{ status: "scheduling", revision: 1 }, { status: "running", revision: 3 }, ended];
    const { client, sent } = clientOf(replies.map((body) => ({ body })));
    expect(await client.runs.waitUntilEnded(id)).toEqual(ended);
    expect(sent).toEqual([0, 1, 3].map((revision) => `?wait_seconds=20&revision=${revision}`));
  });

  it("with onStep asks for the steps behind the last one, and gives each in order, one after another", async () => {
    const ended = { status: "success" };
    const replies = [page([1, 2]), page([]), page([3]), page([], ended)];
    const { client, sent } = clientOf(replies.map((body) => ({ body })));
    const seen: string[] = [];
    const onStep = async ({ index }: { readonly index: number }) => {
      seen.push(`began ${index}`);
      await Promise.resolve();
      seen.push(`ended ${index}`);
    };
    expect(await client.runs.waitUntilEnded(id, { onStep })).toEqual(ended);
    expect(sent).toEqual([0, 2, 2, 3].map((index) => `/steps?wait_seconds=20&after_index=${index}`));
    expect(seen).toEqual([1, 2, 3].flatMap((index) => [`began ${index}`, `ended ${index}`]));
  });

  it("pauses where the service says that it did not wait", async () => {
    const running = { status: "running", revision: 1 };
    const ended = { status: "success", revision: 2 };
    const byRun = clientOf([
      { body: running, retryAfter: "2" },
      { body: ended, retryAfter: "2" },
    ]);
    await byRun.client.runs.waitUntilEnded(id);
    const bySteps = clientOf([{ body: page([]), retryAfter: "2" }, { body: page([], ended) }]);
    await bySteps.client.runs.waitUntilEnded(id, { onStep: () => undefined });
    expect([byRun.pauses, bySteps.pauses]).toEqual([[2_000], [2_000]]);
  });

  it("waits no longer than an attempt may take", async () => {
    const { client, sent } = clientOf([{ body: { status: "success", revision: 2 } }], 12_000);
    await client.runs.waitUntilEnded(id);
    expect(sent).toEqual(["?wait_seconds=7&revision=0"]);
  });

  it("ends when its caller no longer waits", async () => {
    const { client } = clientOf([]);
    await expect(client.runs.waitUntilEnded(id, { signal: AbortSignal.abort() })).rejects.toThrow(
      "did not respond",
    );
  });
});

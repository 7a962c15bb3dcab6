import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runLine } from "../../support/cli/run-line.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const folders: string[] = [];

async function folderWith(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "das-cli-"));
  folders.push(folder);
  await writeFile(join(folder, name), text);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe("a command made of an operation", () => {
  it("sends path, query and the key, and shows a table", async () => {
    const item = { id, name: "Front desk", status: "connected", created_at: "2026-11-27T11:57:00Z" };
    const { code, sent, shown } = await runLine(
      ["machines", "list", "--status", "connected,error", "--limit", "2"],
      {
        answer: () => Response.json({ items: [item], total: 1, skip: 0, limit: 2 }),
        terminal: { columns: 200, environment: { DAS_URL: "https://api.example.com", DAS_API_KEY: "das_k" } },
      },
    );
    expect(code).toBe(0);
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://api.example.com/v1/machines?status=connected&status=error&limit=2",
    ]);
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer das_k");
    expect(shown.split("\n")[0]).toMatch(/^ID +NAME +STATUS/);
    expect(shown).toMatch(/Front desk +connected .*3 min ago/);
  });

  it("makes a body of its options: texts, numbers, switches, lists, pairs", async () => {
    const { code, sent } = await runLine([
      ...[
        "runs",
        "create",
        "--workflow-id",
        id,
        "--input-values",
        "customer=Miller",
        "--input-values",
        "count:=3",
      ],
      ...["--max-steps", "9", "--no-is-priority", "--pool-ids", `${id},${id}`],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
      workflow_id: id,
      input_values: { customer: "Miller", count: 3 },
      max_steps: 9,
      is_priority: false,
      pool_ids: [id, id],
    });
    expect(sent[0]?.headers.get("idempotency-key")).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    ["as JSON in the line", (text: string) => ["--json", text]],
    ["from standard input", () => ["--json", "-"]],
    ["from a file", () => ["--body", "@body.json"]],
  ])("takes a body %s, over which its options stand", async (_name, given) => {
    const text = JSON.stringify({ name: "old", is_available: false });
    const { code, sent, errors } = await runLine(
      ["machines", "update", id, ...given(text), "--name", "new"],
      {
        folder: await folderWith("body.json", text),
        terminal: { input: text },
      },
    );
    expect([code, errors]).toEqual([0, ""]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ name: "new", is_available: false });
  });

  it("reads secrets from files alone, and repeats none", async () => {
    const folder = await folderWith("key", "sk-1\n");
    const line = ["providers", "set", "anthropic", "--auth-type", "api_key", "--api-key"];
    const fine = await runLine([...line, "@key"], { folder });
    expect(JSON.parse(fine.sent[0]?.body ?? "")).toEqual({ auth_type: "api_key", api_key: "sk-1" });
    const refused = await runLine([...line, "sk-secret"]);
    expect([refused.code, refused.sent]).toEqual([2, []]);
    expect(refused.errors).toMatch(/--api-key is a secret/);
    expect(refused.errors).not.toContain("sk-secret");
  });

  it("names what is needed, a wrong choice and a wrong number before it sends anything", async () => {
    const missing = await runLine(["runs", "create"]);
    expect([missing.code, missing.errors]).toEqual([2, "das: --workflow-id is needed\n"]);
    const choice = await runLine(["runs", "list", "--status", "done"]);
    expect([choice.code, choice.errors]).toEqual([
      2,
      expect.stringMatching(/--status takes one of scheduling, .*, not done/),
    ]);
    const number = await runLine(["runs", "create", "--workflow-id", id, "--max-steps", "1.5"]);
    expect([number.code, number.errors]).toEqual([2, "das: --max-steps takes a whole number, not 1.5\n"]);
    expect([missing, choice, number].flatMap(({ sent }) => sent)).toEqual([]);
  });

  it.each(["", ".", ".."])("sends nothing for the id %j, which would name another resource", async (word) => {
    const { code, sent } = await runLine(["machines", "delete", word]);
    expect([code, sent]).toEqual([2, []]);
  });

  it("sends If-Match, and null where a field may be it", async () => {
    const { sent } = await runLine([
      "machines",
      "update",
      id,
      "--reserved-session-id",
      "null",
      "--if-match",
      '"3"',
    ]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ reserved_session_id: null });
    expect(sent[0]?.headers.get("if-match")).toBe('"3"');
  });

  it("sends a file as a form where the operation takes one", async () => {
    const folder = await folderWith("order.png", "picture");
    const { code, sent } = await runLine(["prompt-images", "upload", "order.png"], { folder });
    expect(code).toBe(0);
    const form = sent[0]?.form;
    expect([...(form?.keys() ?? [])]).toEqual(["file"]);
    const file = form?.get("file") as File;
    expect([file.name, await file.text()]).toEqual(["order.png", "picture"]);
    // The form's own type, with its boundary, is set by fetch.
    expect(sent[0]?.headers.has("content-type")).toBe(false);
  });

  it("writes bytes into a file or a pipe, and not on a terminal", async () => {
    const bytes = Uint8Array.from([137, 80, 0, 255]);
    const answer = () => new Response(bytes, { headers: { "content-type": "image/png" } });
    const piped = await runLine(["machines", "screenshot", id, "-o", "-"], { answer });
    expect(piped.bytes.map((each) => [...each])).toEqual([[...bytes]]);
    const shown = await runLine(["runs", "step-screenshot", id, "1"], { answer, terminal: { columns: 80 } });
    expect([shown.code, shown.bytes]).toEqual([2, []]);
  });
});

describe("a list", () => {
  const pageOf = (count: number, from: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `m${from + at}`, name: "a" }));

  it("reads page after page behind the last item until it has all", async () => {
    const pages = [pageOf(1_000, 0), pageOf(1_000, 1_000), pageOf(5, 2_000)];
    const { sent, shown } = await runLine(["machines", "list", "--all", "--jsonl"], {
      answer: () => Response.json({ items: pages.shift(), total: 2_005, skip: 0, limit: 1_000 }),
    });
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      "?limit=1000",
      "?after=m999&limit=1000",
      "?after=m1999&limit=1000",
    ]);
    expect(shown.trim().split("\n")).toHaveLength(2_005);
  });

  it("asks for fewer items where a page would be too large, and still for all", async () => {
    const left = pageOf(30, 0);
    const { code, sent, shown } = await runLine(["pools", "list", "--limit", "30", "--jsonl"], {
      answer: ({ url }) => {
        const limit = Number(new URL(url).searchParams.get("limit"));
        return limit > 10
          ? Response.json(
              { message: "too large", error_code: "response_too_large", details: null },
              { status: 413 },
            )
          : Response.json({ items: left.splice(0, limit), total: 30, skip: 0, limit });
      },
    });
    expect([code, shown.trim().split("\n").length]).toEqual([0, 30]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      "?limit=30",
      "?limit=8",
      "?skip=8&limit=8",
      "?skip=16&limit=8",
      "?skip=24&limit=6",
    ]);
  });

  it("skips where the operation has no `after`, and says how many are left out", async () => {
    const pages = [pageOf(1_000, 0), pageOf(200, 1_000)];
    const { sent, errors } = await runLine(["pools", "list", "--limit", "1200"], {
      answer: () => Response.json({ items: pages.shift(), total: 3_000, skip: 0, limit: 1_000 }),
    });
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=1000", "?skip=1000&limit=200"]);
    expect(errors).toBe("1200 of 3000; --all shows the rest\n");
  });
});

import { expect, it } from "vitest";
import { createClient } from "../../../infra/clients/typescript/client.ts";
import { filesBytesMax } from "../../../shared/vocabulary/files.ts";

const baseUrl = "https://api.example";
const run_id = "0198c0de-7a1b-7c3d-9e4f-0cd01327d7ac";
const file = { run_id, attachment_type: "input", filename: "a.txt" } as const;
const upload = { url: "https://bucket.example/a?signature=s", headers: { "content-type": "text/plain" } };

function clientOf(...replies: readonly (Response | Error)[]) {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl,
    credentials: "das_key",
    fetch: async (url, init) => {
      sent.push(new Request(url, init));
      const reply = replies[sent.length - 1] ?? new Error("no more replies");
      if (reply instanceof Error) throw reply;
      return reply;
    },
    pause: async () => undefined,
  });
  return { client, sent };
}

const page = (...ids: readonly string[]) => Response.json({ items: ids.map((id) => ({ id })) });

async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

it("goes through a list behind its last item, in smaller pages where one would be too large", async () => {
  const { client, sent } = clientOf(Response.json({}, { status: 413 }), page("a"), page("b"), page());
  const machines = await allOf(client.each("listMachines", { query: { limit: 2, search: "desk" } }));
  expect(machines.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(sent.map(({ url }) => url.slice(`${baseUrl}/v1/machines?search=desk`.length))).toEqual([
    "&limit=2",
    "&limit=1",
    "&after=a&limit=1",
    "&after=b&limit=1",
  ]);
});

it("goes through a list by number where it takes nothing else, and from where it is told to", async () => {
  const { client, sent } = clientOf(page("a", "b"), page("c"));
  expect(await allOf(client.each("listPools", { query: { limit: 2, skip: 1 } }))).toHaveLength(3);
  expect(sent.map(({ url }) => new URL(url).searchParams.get("skip"))).toEqual(["1", "3"]);
});

it("goes on behind a page that is short because items of it were deleted, as the total says", async () => {
  const pageOf = (total: number, ...ids: readonly string[]) =>
    Response.json({ items: ids.map((id) => ({ id })), total });
  const behind = clientOf(pageOf(3, "a"), pageOf(3, "b", "c"), pageOf(3));
  expect(await allOf(behind.client.each("listMachines", { query: { limit: 2 } }))).toHaveLength(3);
  expect(behind.sent.map(({ url }) => new URL(url).searchParams.get("after"))).toEqual([null, "a", "c"]);
  const byNumber = clientOf(pageOf(3, "a"), pageOf(3, "b", "c"), pageOf(3));
  expect(await allOf(byNumber.client.each("listPools", { query: { limit: 2 } }))).toHaveLength(3);
  expect(byNumber.sent.map(({ url }) => new URL(url).searchParams.get("skip"))).toEqual([null, "2", "4"]);
});

it("asks for no page behind a short one that has all", async () => {
  const { client, sent } = clientOf(Response.json({ items: [{ id: "a" }], total: 1 }));
  expect(await allOf(client.each("listMachines"))).toHaveLength(1);
  expect(sent).toHaveLength(1);
});

it("reads no page that nobody asks for", async () => {
  const { client, sent } = clientOf(page("a", "b"));
  for await (const pool of client.each("listPools", { query: { limit: 2 } })) {
    if (pool.id === "b") break;
  }
  expect(sent).toHaveLength(1);
});

it("sends a small file in the request", async () => {
  const { client, sent } = clientOf(Response.json({ id: "f" }, { status: 201 }));
  const data = new TextEncoder().encode("ä".repeat(10_000));
  expect(await client.files.upload({ ...file, data: new Blob([data]) })).toEqual({ id: "f" });
  const [request = new Request(baseUrl)] = sent;
  const { content, ...body } = (await request.json()) as { readonly content: string };
  expect(body).toEqual(file);
  expect(Buffer.from(content, "base64")).toEqual(Buffer.from(data));
});

it("puts a large file to the address that it gets, without credentials, until it is there", async () => {
  const made = Response.json({ id: "f", upload }, { status: 201 });
  const { client, sent } = clientOf(made, new Error("lost"), new Response(null, { status: 412 }));
  const data = new Uint8Array(filesBytesMax + 1);
  expect(await client.files.upload({ ...file, data })).toEqual({ id: "f" });
  expect(await sent[0]?.json()).toEqual({ ...file, size_bytes: data.length });
  const puts = sent.slice(1);
  expect(puts.map(({ method, url, headers }) => [method, url, headers.get("authorization")])).toEqual([
    ["PUT", upload.url, null],
    ["PUT", upload.url, null],
  ]);
});

it("downloads by the file's own address, without credentials, and says why it cannot", async () => {
  const link = () => Response.json({ url: upload.url });
  const { client, sent } = clientOf(link(), new Response("", { status: 503 }), new Response("abc"));
  expect(new TextDecoder().decode(await client.files.download("f"))).toBe("abc");
  expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer das_key", null, null]);
  const refused = clientOf(link(), new Response("<Error/>", { status: 403 })).client;
  await expect(refused.files.download("f")).rejects.toMatchObject({ name: "ApiError", status: 403 });
});

it("gives up a transfer that takes too long", async () => {
  const stalled: typeof fetch = async (_url, { signal } = {}) =>
    await new Promise((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const links = [Response.json({ id: "f", upload }, { status: 201 }), Response.json({ url: upload.url })];
  const client = createClient({
    baseUrl,
    attemptsMax: 1,
    fetch: async (url, init) =>
      String(url).startsWith(baseUrl) ? (links.shift() ?? Response.error()) : await stalled(url, init),
  });
  const gaveUp = { name: "ApiUnreachable", cause: { name: "TimeoutError" } };
  const data = new Uint8Array(filesBytesMax + 1);
  await expect(client.files.upload({ ...file, data }, { transferMs: 1 })).rejects.toMatchObject(gaveUp);
  await expect(client.files.download("f", { transferMs: 1 })).rejects.toMatchObject(gaveUp);
});

it("says at once what the program gave wrong, and sends nothing", async () => {
  expect(() => createClient({ baseUrl: "api.example" })).toThrow("baseUrl is no address: api.example");
  const { client, sent } = clientOf();
  const path = {} as { run_id: string };
  await expect(client.call("getRun", { path })).rejects.toThrow("path.run_id is missing");
  const metadata = { n: 1n as unknown as string };
  const body = { fingerprint: "f", metadata };
  await expect(client.call("createMachine", { body })).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

it("names the field of a request that is not valid", async () => {
  const detail = [{ loc: ["body", "name"], msg: "Field required", type: "missing", input: {} }];
  const { client } = clientOf(Response.json({ detail }, { status: 422 }), Response.json({}, { status: 404 }));
  const body = { fingerprint: "f" };
  await expect(client.call("createMachine", { body })).rejects.toMatchObject({ field: "body.name" });
  await expect(client.call("createMachine", { body })).rejects.toMatchObject({ field: undefined });
});

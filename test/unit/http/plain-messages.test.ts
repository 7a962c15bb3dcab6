import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { PlainHeaders, PlainRequest, PlainResponse } from "../../../shared/http/plain-messages.ts";

const ofNode = { Headers, Request, Response };
const plain = { Headers: PlainHeaders, Request: PlainRequest, Response: PlainResponse };

describe.each([
  { whose: "ours", web: plain as unknown as typeof ofNode },
  { whose: "Node's", web: ofNode },
])("messages, $whose", ({ web }) => {
  const bytesOf = async (message: Request | Response) => [...new Uint8Array(await message.arrayBuffer())];

  it("know a header in any case, and trim and join its values", () => {
    const headers = new web.Headers({ "X-One": " a b\t" });
    headers.append("x-one", "c");
    headers.set("X-Empty", "");
    headers.set("x-two", "old");
    headers.set("X-Two", "\u00ff");
    expect(Object.fromEntries(headers)).toEqual({ "x-empty": "", "x-one": "a b, c", "x-two": "\u00ff" });
    expect([headers.get("X-ONE"), headers.get("x-none"), headers.has("x-empty")]).toEqual([
      "a b, c",
      null,
      true,
    ]);
    headers.delete("X-One");
    expect(headers.has("x-one")).toBe(false);
    expect(Object.fromEntries(new web.Headers(headers))).toEqual({ "x-empty": "", "x-two": "\u00ff" });
    const visited: Record<string, string> = {};
    headers.forEach((value, name) => {
      visited[name] = value;
    });
    expect(visited).toEqual(Object.fromEntries(headers));
  });

  it.each([
    ["", "a"],
    ["a b", "a"],
    ["a:", "a"],
    ["ä", "a"],
    ["a", "b\r\nc: d"],
    ["a", "b\0c"],
    ["a", "\u0100"],
  ])("refuse the header %j: %j", (name, value) => {
    expect(() => new web.Headers().set(name, value)).toThrow(TypeError);
    expect(() => new web.Headers({ [name]: value })).toThrow(TypeError);
  });

  it("have the body that they were given, as text and as bytes", async () => {
    expect(await new web.Response("ü").text()).toBe("ü");
    expect(await bytesOf(new web.Response("ü"))).toEqual([0xc3, 0xbc]);
    expect(await bytesOf(new web.Response(new Uint8Array([0x89, 0xff])))).toEqual([0x89, 0xff]);
    expect(await new web.Response(Buffer.from("ü")).text()).toBe("ü");
    expect(await new web.Response(null).text()).toBe("");
    expect(await bytesOf(new web.Response())).toEqual([]);
    const pooled = Buffer.from("a request");
    expect(await bytesOf(new web.Request("https://a.test/", { method: "POST", body: pooled }))).toEqual([
      ...pooled,
    ]);
  });

  it("name a text's type unless it was given one", () => {
    const typeOf = (response: Response) => response.headers.get("content-type");
    expect(typeOf(new web.Response("a"))).toBe("text/plain;charset=UTF-8");
    expect(typeOf(new web.Response("{}", { headers: { "Content-Type": "application/json" } }))).toBe(
      "application/json",
    );
    expect(typeOf(new web.Response(new Uint8Array(1)))).toBeNull();
    expect(typeOf(new web.Response(null, { status: 204 }))).toBeNull();
  });

  it("copy the headers of another, and its status", () => {
    const first = new web.Response("a", { status: 201, headers: { "x-one": "1" } });
    const copy = new web.Response("b", first);
    copy.headers.set("x-one", "2");
    expect([copy.status, first.headers.get("x-one")]).toEqual([201, "1"]);
  });

  it("normalize the address, and refuse what is none", () => {
    const { url, method } = new web.Request("https://A.test/v1/../a b/%c3?q=ü#f", { method: "DELETE" });
    expect([url.replace("#f", ""), method]).toEqual(["https://a.test/a%20b/%c3?q=%C3%BC", "DELETE"]);
    expect(() => new web.Request("https://a b/")).toThrow(TypeError);
  });

  it("pass through Hono", async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await next();
      c.res.headers.set("x-after", c.req.header("X-Given") ?? "");
    });
    app.post("/items/:id", async (c) => {
      const { id } = c.req.param();
      return new web.Response(JSON.stringify({ id, query: c.req.queries("q"), text: await c.req.text() }), {
        status: 201,
      });
    });
    const request = new web.Request("https://a.test/items/%C3%BC?q=1&q=2", {
      method: "POST",
      headers: { "x-given": "yes" },
      body: Buffer.from("ä"),
    });
    const response = await app.fetch(request);
    expect([response.status, response.headers.get("x-after")]).toEqual([201, "yes"]);
    expect(JSON.parse(await response.text())).toEqual({ id: "ü", query: ["1", "2"], text: "ä" });
  });
});

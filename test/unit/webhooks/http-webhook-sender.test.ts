import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import { HttpWebhookSender } from "../../../shared/webhooks/http-webhook-sender.ts";
import { isPublic } from "../../../shared/webhooks/public-address.ts";
import { mintSigningSecret } from "../../../shared/webhooks/sign.ts";

const clock = { now: () => Date.now() };
const loopback = async () => [{ address: "127.0.0.1", family: 4 }];
const secrets = [mintSigningSecret(), mintSigningSecret()];

async function listen(answer: RequestListener): Promise<number> {
  const { port, stop } = await listenOnLoopback(createServer(answer), 0);
  onTestFinished(stop);
  return port;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString("utf8");
}

const request = (port: number) => ({
  url: `http://localhost:${port}/das`,
  id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f",
  body: '{"event_type":"run.complete"}',
  secrets,
  keptBytes: 1_024,
});

const sender = (options = {}) =>
  new HttpWebhookSender({ clock, allowsLoopback: true, resolve: loopback, ...options });

describe("an attempt", () => {
  it("posts the bytes with a signature by each secret, which the package of the standard verifies", async () => {
    const received: { body: string; headers: IncomingMessage["headers"] }[] = [];
    const port = await listen(async (incoming, response) => {
      received.push({ body: await bodyOf(incoming), headers: incoming.headers });
      response.end("thanks");
    });
    const outcome = await sender().send(request(port));
    expect(outcome).toEqual({
      statusCode: 200,
      error: null,
      responseBody: "thanks",
      durationMs: expect.any(Number),
    });
    const [{ body, headers } = { body: "", headers: {} }] = received;
    expect(headers["content-type"]).toBe("application/json");
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
        event_type: "run.complete",
      });
    }
    const other = new Webhook(mintSigningSecret());
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow("No matching signature");
  });

  it("goes to what was checked, though the name would lead elsewhere by then", async () => {
    const port = await listen((_, response) => response.writeHead(204).end());
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? await loopback() : [{ address: "10.0.0.7", family: 4 }];
    };
    const url = `http://changes.localhost:${port}/`;
    const outcome = await sender({ resolve }).send({ ...request(port), url });
    expect([outcome.statusCode, asked]).toEqual([204, 1]);
  });

  it.each([
    ["all of them", [{ address: "10.0.0.7", family: 4 }]],
    [
      "one of them",
      [
        { address: "192.0.43.8", family: 4 },
        { address: "::ffff:169.254.169.254", family: 6 },
      ],
    ],
  ])("is refused where a name leads to addresses that are not public: %s", async (_what, addresses) => {
    const resolve = async () => addresses;
    const judged = new HttpWebhookSender({ clock, resolve });
    const outcome = await judged.send({ ...request(0), url: "https://hooks.example.com/" });
    expect(outcome).toMatchObject({ statusCode: null, error: "address_refused" });
  });

  it("is refused on loopback anywhere but on this machine's stack", async () => {
    const deployed = new HttpWebhookSender({ clock, resolve: loopback });
    for (const url of ["https://hooks.example.com/", "https://localhost/", "http://localhost/"]) {
      expect(await deployed.send({ ...request(0), url })).toMatchObject({ error: "address_refused" });
    }
  });

  it("follows no redirect", async () => {
    const paths: unknown[] = [];
    const port = await listen((incoming, response) => {
      paths.push(incoming.url);
      response.writeHead(307, { location: "/elsewhere" }).end("moved");
    });
    const { statusCode, responseBody } = await sender().send(request(port));
    expect([statusCode, responseBody, paths]).toEqual([307, "moved", ["/das"]]);
  });

  it("keeps the first kilobyte of a response without end", async () => {
    const port = await listen((_, response) => {
      const more = (): void => {
        while (response.write("x".repeat(4_096)));
        response.once("drain", more);
      };
      more();
    });
    const { statusCode, responseBody } = await sender().send(request(port));
    expect([statusCode, responseBody]).toEqual([200, "x".repeat(1_024)]);
  });

  it("waits for no body that is not kept", async () => {
    const port = await listen((_, response) => response.writeHead(202).flushHeaders());
    expect(await sender().send({ ...request(port), keptBytes: 0 })).toMatchObject({ statusCode: 202 });
  });

  it("keeps what came of a body that drips, by the time that a body has", async () => {
    const port = await listen((_, response) => {
      response.write("x");
      const drips = setInterval(() => response.write("x"), 10);
      response.on("close", () => clearInterval(drips));
    });
    const outcome = await sender({ timeoutMs: 3_000, bodyTimeoutMs: 50 }).send(request(port));
    expect(outcome).toMatchObject({
      statusCode: 200,
      error: null,
      responseBody: expect.stringMatching(/^x+$/),
    });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  it("times out where nothing comes", async () => {
    const port = await listen(() => {});
    const outcome = await sender({ timeoutMs: 30 }).send(request(port));
    expect(outcome).toMatchObject({ statusCode: null, error: "timeout", responseBody: "" });
  });

  it("times out where the name is not resolved in time", async () => {
    const resolve = () => new Promise<never>(() => {});
    expect(await sender({ timeoutMs: 30, resolve }).send(request(1))).toMatchObject({ error: "timeout" });
  });

  it("says why there was no response", async () => {
    const port = await listen((incoming) => incoming.socket.destroy());
    expect(await sender().send(request(port))).toMatchObject({ error: "connection_failed" });
    const unknown = { resolve: async () => Promise.reject(new Error("ENOTFOUND")) };
    expect(await sender(unknown).send(request(port))).toMatchObject({ error: "name_not_resolved" });
    const secure = { ...request(port), url: `https://localhost:${port}/` };
    expect((await sender().send(secure)).error).toMatch(/^(tls|connection)_failed$/);
  });
});

describe("public addresses", () => {
  it.each(["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111"])("%s is one", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    ...[
      "0.0.0.0",
      "10.255.255.255",
      "100.127.0.1",
      "127.0.0.2",
      "169.254.169.254",
      "172.31.0.1",
      "192.168.0.1",
    ],
    ...["192.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::7f00:1", "::ffff:8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1"],
    ...["2001:db8::1", "2002:808:808::1", "fc00::1", "fe80::1", "fec0::1", "ff02::1", "4000::1", "", "host"],
  ])("%s is none", (address) => {
    expect(isPublic(address)).toBe(false);
  });
});

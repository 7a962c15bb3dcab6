import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ConnectionsHandler } from "../../../infra/local/aws/execute-api/connections-service.ts";
import {
  closed,
  exchangeRaw,
  failed,
  type Harness,
  nextMessage,
  ok,
  opened,
  refusal,
  start,
  waitFor,
} from "./gateway-harness.ts";

async function connectTo(harness: Harness) {
  const socket = await opened(harness.dial());
  const event = await harness.eventOf("CONNECT");
  return { socket, connectionId: event.requestContext.connectionId };
}

describe("a WebSocket handshake", () => {
  it("gives $connect the headers in the case in which they were sent", async () => {
    const harness = await start();
    const socket = await opened(
      harness.dial({
        path: "/live?a=1&a=2",
        headers: { "X-Machine-Fingerprint": "f", authorization: "Bearer k", "User-Agent": "driver/1" },
      }),
    );
    const event = await harness.eventOf("CONNECT");
    expect(event).toMatchObject({
      headers: {
        "X-Machine-Fingerprint": "f",
        authorization: "Bearer k",
        "Sec-WebSocket-Version": "13",
        "X-Forwarded-For": "127.0.0.1",
        "X-Forwarded-Port": String(harness.gateway.port),
        "X-Forwarded-Proto": "http",
        "X-Amzn-Trace-Id": expect.stringMatching(/^Root=1-/),
      },
      multiValueHeaders: { "X-Machine-Fingerprint": ["f"] },
      queryStringParameters: { a: "2" },
      multiValueQueryStringParameters: { a: ["1", "2"] },
      requestContext: {
        routeKey: "$connect",
        eventType: "CONNECT",
        messageDirection: "IN",
        stage: "live",
        apiId: "wsapi12345",
        domainName: "wsapi12345.execute-api.us-east-1.amazonaws.com",
        connectionId: expect.stringMatching(/^[\w-]{15}=$/),
        connectedAt: expect.any(Number),
        requestTimeEpoch: expect.any(Number),
        requestTime: expect.stringMatching(/ \+0000$/),
        identity: { sourceIp: "127.0.0.1", userAgent: "driver/1" },
      },
      isBase64Encoded: false,
    });
    expect(event.requestContext.extendedRequestId).toBe(event.requestContext.requestId);
    expect(Object.keys(event.headers ?? {}).map((name) => name.toLowerCase())).not.toContain("upgrade");
    expect(socket.extensions).toBe("");
  });

  it.each([401, 403, 400, 409, 429, 500])(
    "is refused with the function's own status %i",
    async (statusCode) => {
      const harness = await start({ run: () => ok({ statusCode, body: "no" }) });
      expect((await refusal(harness.dial())).status).toBe(statusCode);
      expect(harness.events.map((event) => event.requestContext.eventType)).toEqual(["CONNECT"]);
    },
  );

  it.each([
    [failed("crash"), 502],
    [failed("timeout"), 502],
    [failed("throttled"), 502],
    [ok(null), 502],
    [ok({ statusCode: "yes" }), 502],
  ])("is refused when the function fails: %j", async (result, status) => {
    const harness = await start({ run: () => result });
    const refused = await refusal(harness.dial());
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toMatchObject({
      message: "Internal server error",
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
  });

  it("is refused with 504 when the function is slower than the gateway waits", async () => {
    const harness = await start({
      websocket: { integrationTimeoutMs: 50 },
      run: () => new Promise((resolve) => setTimeout(() => resolve(ok({ statusCode: 200 })), 300)),
    });
    expect((await refusal(harness.dial())).status).toBe(504);
  });

  it.each(["/", "/other", "/live/more", "/LIVE"])(
    "is 403 on the path %s, which is no stage",
    async (path) => {
      const harness = await start();
      expect((await refusal(harness.dial({ path }))).status).toBe(403);
      expect(harness.events).toEqual([]);
    },
  );

  it("is 400 when it is none, and $connect is not asked", async () => {
    const harness = await start();
    const answer = await exchangeRaw(
      harness.gateway.port,
      "GET /live HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(harness.events).toEqual([]);
  });

  it("is 431 with more than 10,240 bytes of headers", async () => {
    const harness = await start();
    expect((await refusal(harness.dial({ headers: { "X-Long": "a".repeat(10_240) } }))).status).toBe(431);
  });

  it("is 429 above the rate of new connections", async () => {
    const harness = await start({ websocket: { connectThrottle: { rate: 0.001, burst: 1 } } });
    await opened(harness.dial());
    expect((await refusal(harness.dial())).status).toBe(429);
  });

  it("speaks the subprotocol that the function chose", async () => {
    const harness = await start({
      run: () => ok({ statusCode: 200, headers: { "Sec-WebSocket-Protocol": "chosen" } }),
    });
    expect((await opened(harness.dial({ protocol: "chosen" }))).protocol).toBe("chosen");
  });

  it("tells $disconnect of a client that was let in and had gone meanwhile", async () => {
    let letIn: (() => void) | undefined;
    const harness = await start({
      run: (event) =>
        event.requestContext.eventType === "CONNECT"
          ? new Promise((resolve) => {
              letIn = () => resolve(ok({ statusCode: 200 }));
            })
          : ok({ statusCode: 200 }),
    });
    const socket = harness.dial();
    socket.on("error", () => undefined);
    const start_ = await harness.eventOf("CONNECT");
    socket.terminate();
    await new Promise((resolve) => setTimeout(resolve, 50));
    letIn?.();
    const end = await harness.eventOf("DISCONNECT");
    expect(end.requestContext.connectionId).toBe(start_.requestContext.connectionId);
    expect(end.requestContext.disconnectStatusCode).toBe(1006);
  });
});

describe("a message of a WebSocket client", () => {
  it("is an invocation of its own, without headers", async () => {
    const harness = await start();
    const { socket, connectionId } = await connectTo(harness);
    socket.send('{"type":"hello"}');
    const event = await harness.eventOf("MESSAGE");
    expect(event).toMatchObject({
      body: '{"type":"hello"}',
      isBase64Encoded: false,
      requestContext: {
        routeKey: "$default",
        eventType: "MESSAGE",
        connectionId,
        messageId: expect.any(String),
        messageDirection: "IN",
        stage: "live",
      },
    });
    expect(event).not.toHaveProperty("headers");
    expect(event).not.toHaveProperty("multiValueHeaders");
  });

  it("does not wait for the one before", async () => {
    const bodies: (string | undefined)[] = [];
    const harness = await start({
      run: async (event) => {
        if (event.body === "slow") await new Promise((resolve) => setTimeout(resolve, 200));
        bodies.push(event.body);
        return ok({ statusCode: 200 });
      },
    });
    const { socket } = await connectTo(harness);
    socket.send("slow");
    socket.send("fast");
    await waitFor(() => (bodies.includes("slow") ? true : undefined));
    expect(bodies).toEqual([undefined, "fast", "slow"]);
  });

  it("waits in its socket while four of its connection are handled, and holds up no other's", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const bodies: (string | undefined)[] = [];
    const harness = await start({
      run: async (event) => {
        bodies.push(event.body);
        if (event.body?.startsWith("flood")) await released;
        return ok({ statusCode: 200 });
      },
    });
    const [flooding, other] = [await connectTo(harness), await connectTo(harness)];
    for (let count = 0; count < 3_000; count += 1) flooding.socket.send(`flood ${count}`);
    await waitFor(() => (bodies.includes("flood 3") ? true : undefined));
    other.socket.send("other");
    await waitFor(() => (bodies.includes("other") ? true : undefined));
    expect(bodies).not.toContain("flood 4");
    release();
    await waitFor(() => (bodies.includes("flood 2999") ? true : undefined));
    expect(bodies.filter((body) => body?.startsWith("flood"))).toHaveLength(3_000);
  });

  it("of a flood that waits is dropped when its connection ends", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let handled = 0;
    const harness = await start({
      run: async (event) => {
        if (event.requestContext.eventType !== "MESSAGE") return ok({ statusCode: 200 });
        handled += 1;
        await released;
        return ok({ statusCode: 200 });
      },
    });
    const { socket, connectionId } = await connectTo(harness);
    for (let count = 0; count < 3_000; count += 1) socket.send("flood");
    await waitFor(() => (handled === 4 ? true : undefined));
    harness.websocket.connections.delete(connectionId);
    await harness.eventOf("DISCONNECT");
    release();
    expect(handled).toBe(4);
  });

  it("is not answered with what the function returns", async () => {
    const harness = await start({ run: () => ok({ statusCode: 500, body: "nobody reads this" }) });
    const silent = await start({ run: () => ok({ statusCode: 200, body: "nobody reads this" }) });
    expect((await refusal(harness.dial())).status).toBe(500);
    const { socket, connectionId } = await connectTo(silent);
    socket.send("x");
    await silent.eventOf("MESSAGE");
    const next = nextMessage(socket);
    silent.websocket.connections.post(connectionId, Buffer.from("first"));
    expect(await next).toBe("first");
  });

  it.each([
    [failed("crash"), "Internal server error"],
    [ok(undefined), "Internal server error"],
  ])("is answered by the gateway when the function fails: %j", async (result, message) => {
    const harness = await start({
      run: (event) => (event.requestContext.eventType === "MESSAGE" ? result : ok({ statusCode: 200 })),
    });
    const { socket, connectionId } = await connectTo(harness);
    const answer = nextMessage(socket);
    socket.send("x");
    const event = await harness.eventOf("MESSAGE");
    expect(JSON.parse(await answer)).toEqual({
      message,
      connectionId,
      requestId: event.requestContext.requestId,
    });
  });

  it("is answered by the gateway when there is no route for it", async () => {
    const harness = await start({ websocket: { routes: { $connect: "tunnel" } } });
    const { socket } = await connectTo(harness);
    const answer = nextMessage(socket);
    socket.send("x");
    expect(JSON.parse(await answer)).toMatchObject({ message: "Forbidden" });
  });

  it("is answered by the gateway above the stage's throttle, which handshakes use up too", async () => {
    const harness = await start({ websocket: { stageThrottle: { rate: 0.001, burst: 2 } } });
    const { socket } = await connectTo(harness);
    const answer = nextMessage(socket);
    socket.send("taken");
    socket.send("refused");
    expect(JSON.parse(await answer)).toMatchObject({ message: "Too Many Requests" });
    expect((await refusal(harness.dial())).status).toBe(429);
    expect(harness.events.map((event) => event.body)).toEqual([undefined, "taken"]);
  });

  it("is not held up by handshakes, when those have a throttle of their own", async () => {
    const harness = await start({
      websocket: {
        stageThrottle: { rate: 0.001, burst: 1 },
        routeThrottles: { $connect: { rate: 0.001, burst: 1 } },
      },
    });
    const { socket } = await connectTo(harness);
    expect((await refusal(harness.dial())).status).toBe(429);
    socket.send("taken");
    expect((await harness.eventOf("MESSAGE")).body).toBe("taken");
    const answer = nextMessage(socket);
    socket.send("refused");
    expect(JSON.parse(await answer)).toMatchObject({ message: "Too Many Requests" });
  });

  it("reaches the route that it selects", async () => {
    const harness = await start({ websocket: { routes: { $default: "a", ping: "b" } } });
    const socket = await opened(harness.dial());
    socket.send('{"type":"ping"}');
    expect((await harness.eventOf("MESSAGE")).requestContext.routeKey).toBe("ping");
  });
});

describe("the limits of a WebSocket API", () => {
  it("closes with 1003 at a binary frame", async () => {
    const harness = await start();
    const { socket } = await connectTo(harness);
    const end = closed(socket);
    socket.send(Buffer.from("x"), { binary: true });
    expect((await end).code).toBe(1003);
    expect((await harness.eventOf("DISCONNECT")).requestContext.disconnectStatusCode).toBe(1003);
    expect(harness.events.map((event) => event.requestContext.eventType)).toEqual(["CONNECT", "DISCONNECT"]);
  });

  it("takes a frame of 32 KB and closes with 1009 at one byte more", async () => {
    const harness = await start();
    const { socket } = await connectTo(harness);
    socket.send("a".repeat(32 * 1024));
    expect((await harness.eventOf("MESSAGE")).body).toHaveLength(32 * 1024);
    const end = closed(socket);
    socket.send("a".repeat(32 * 1024 + 1));
    expect((await end).code).toBe(1009);
    await harness.eventOf("DISCONNECT");
    expect(harness.events.filter((event) => event.requestContext.eventType === "MESSAGE")).toHaveLength(1);
  });

  it("takes a message of 128 KB in four frames and closes with 1009 at a fifth", async () => {
    const harness = await start();
    const { socket } = await connectTo(harness);
    const part = "a".repeat(32 * 1024);
    for (let count = 1; count <= 4; count++) socket.send(part, { fin: count === 4 });
    expect((await harness.eventOf("MESSAGE")).body).toHaveLength(128 * 1024);
    const end = closed(socket);
    for (let count = 1; count <= 5; count++) socket.send(part, { fin: count === 5 });
    expect((await end).code).toBe(1009);
  });

  it("closes with 1009 at a frame of megabytes", async () => {
    const harness = await start();
    const { socket } = await connectTo(harness);
    socket.on("error", () => undefined);
    socket.send("a".repeat(4 * 1024 * 1024));
    await closed(socket);
    expect((await harness.eventOf("DISCONNECT")).requestContext.disconnectStatusCode).toBe(1009);
  });

  it("inflates nothing: it agrees on no compression, and a compressed frame ends the connection", async () => {
    const harness = await start();
    const socket = harness.dial({ perMessageDeflate: true });
    const upgraded = once(socket, "upgrade") as Promise<[IncomingMessage]>;
    const [[response]] = await Promise.all([upgraded, opened(socket)]);
    expect(socket.extensions).toBe("");
    const end = closed(socket);
    const bomb = deflateRawSync(Buffer.alloc(16 * 2 ** 20));
    const rsv1 = 0b0100_0000;
    const mask = Buffer.alloc(4);
    const head = Buffer.from([0b1000_0001 | rsv1, 0b1000_0000 | 126, bomb.length >> 8, bomb.length & 0xff]);
    response.socket.write(Buffer.concat([head, mask, bomb]));
    await end;
    await harness.eventOf("DISCONNECT");
    expect(harness.events.filter((event) => event.requestContext.eventType === "MESSAGE")).toEqual([]);
  });

  it("goes away from an idle client, whose protocol pings do not count", async () => {
    const harness = await start({ websocket: { idleMs: 150 } });
    const { socket } = await connectTo(harness);
    const pings = setInterval(() => socket.ping(), 20);
    const end = await closed(socket);
    clearInterval(pings);
    expect(end).toEqual({ code: 1001, reason: "Going away" });
    expect((await harness.eventOf("DISCONNECT")).requestContext).toMatchObject({
      disconnectStatusCode: 1001,
      disconnectReason: "Going away",
    });
  });

  it.each(["in", "out"])("does not take a connection with messages %s for idle", async (direction) => {
    const harness = await start({ websocket: { idleMs: 200 } });
    const { socket, connectionId } = await connectTo(harness);
    const untilMs = Date.now() + 600;
    while (Date.now() < untilMs) {
      if (direction === "in") socket.send("x");
      else expect(harness.websocket.connections.post(connectionId, Buffer.from("x"))).toBe("ok");
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(socket.readyState).toBe(socket.OPEN);
    expect((await closed(socket)).code).toBe(1001);
  });

  it("goes away at the end of a connection's life, however busy it is", async () => {
    const harness = await start({ websocket: { lifeMs: 200 } });
    const { socket } = await connectTo(harness);
    const messages = setInterval(() => socket.send("x"), 20);
    const end = await closed(socket);
    clearInterval(messages);
    expect(end).toEqual({ code: 1001, reason: "Going away" });
  });
});

describe("@connections", () => {
  it("are what the management API's addresses are served from", async () => {
    const harness = await start();
    const handler: ConnectionsHandler = harness.websocket.connections;
    expect(handler.apiId).toBe("wsapi12345");
  });

  it("are gone inside $connect and there as soon as the client is open", async () => {
    const outcomes: unknown[] = [];
    const harness: Harness = await start({
      run: (event) => {
        if (event.requestContext.eventType === "CONNECT") {
          const { connectionId } = event.requestContext;
          outcomes.push(
            harness.websocket.connections.post(connectionId, Buffer.from("x")),
            harness.websocket.connections.get(connectionId),
            harness.websocket.connections.delete(connectionId),
          );
        }
        return ok({ statusCode: 200 });
      },
    });
    const { connectionId } = await connectTo(harness);
    expect(outcomes).toEqual(["gone", "gone", "gone"]);
    expect(harness.websocket.connections.post(connectionId, Buffer.from("x"))).toBe("ok");
  });

  it("post text, up to 128 KB, in frames of 32 KB", async () => {
    const harness = await start();
    const { socket, connectionId } = await connectTo(harness);
    const whole = "é".repeat(64 * 1024);
    let bytes = 0;
    let isBinaryAtAll = false;
    const received: string[] = [];
    socket.on("message", (data, isBinary) => {
      isBinaryAtAll ||= isBinary;
      bytes = (data as Buffer).length;
      received.push(data.toString());
    });
    expect(harness.websocket.connections.post(connectionId, Buffer.from(whole))).toBe("ok");
    expect(harness.websocket.connections.post(connectionId, Buffer.from(""))).toBe("ok");
    await waitFor(() => (received.length === 2 ? true : undefined));
    expect(received).toEqual([whole, ""]);
    expect([bytes, isBinaryAtAll]).toEqual([0, false]);
    const tooLarge = Buffer.alloc(128 * 1024 + 1, "a");
    expect(harness.websocket.connections.post(connectionId, tooLarge)).toBe("too_large");
    expect(harness.websocket.connections.post("unknown=", Buffer.from("x"))).toBe("gone");
  });

  it("never send a frame above 32 KB", async () => {
    const harness = await start();
    const { socket, connectionId } = await connectTo(harness);
    const lengths: number[] = [];
    const raw = (socket as unknown as { _socket: NodeJS.ReadableStream })._socket;
    let stream = Buffer.alloc(0);
    raw.on("data", (chunk: Buffer) => {
      stream = Buffer.concat([stream, chunk]);
    });
    const message = once(socket, "message");
    harness.websocket.connections.post(connectionId, Buffer.alloc(100_000, "a"));
    await message;
    for (let offset = 0; offset < stream.length; ) {
      const short = stream.readUInt8(offset + 1) & 0x7f;
      const length = short === 126 ? stream.readUInt16BE(offset + 2) : short;
      lengths.push(length);
      offset += (short === 126 ? 4 : 2) + length;
    }
    expect(lengths).toEqual([32_768, 32_768, 32_768, 100_000 - 3 * 32_768]);
  });

  it("tell when and from where a client connected, and when it was last heard of", async () => {
    const harness = await start();
    const socket = await opened(harness.dial({ headers: { "User-Agent": "driver/1" } }));
    const { connectionId } = (await harness.eventOf("CONNECT")).requestContext;
    const { connectedAt } = (await harness.eventOf("CONNECT")).requestContext;
    const before = harness.websocket.connections.get(connectionId);
    expect(before).toEqual({
      connectedAt: new Date(Number(connectedAt)).toISOString(),
      lastActiveAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      identity: { sourceIp: "127.0.0.1", userAgent: "driver/1" },
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.send("x");
    await harness.eventOf("MESSAGE");
    const after = harness.websocket.connections.get(connectionId);
    if (before === "gone" || after === "gone") throw new Error("the connection is gone");
    expect(Date.parse(after.lastActiveAt)).toBeGreaterThan(Date.parse(before.lastActiveAt));
  });

  it("close a connection for good with 1000", async () => {
    const harness = await start();
    const { socket, connectionId } = await connectTo(harness);
    const end = closed(socket);
    expect(harness.websocket.connections.delete(connectionId)).toBe("ok");
    expect(harness.websocket.connections.delete(connectionId)).toBe("gone");
    expect(harness.websocket.connections.post(connectionId, Buffer.from("x"))).toBe("gone");
    expect((await end).code).toBe(1000);
    expect((await harness.eventOf("DISCONNECT")).requestContext).toMatchObject({
      connectionId,
      disconnectStatusCode: 1000,
      disconnectReason: "Connection Closed Normally",
    });
    expect(harness.websocket.connections.get(connectionId)).toBe("gone");
  });
});

describe("the end of a WebSocket connection", () => {
  it.each([
    [(socket: Awaited<ReturnType<typeof opened>>) => socket.close(1000, "done"), 1000, "done"],
    [
      (socket: Awaited<ReturnType<typeof opened>>) => socket.close(),
      1005,
      "Client-side close frame status not set",
    ],
    [
      (socket: Awaited<ReturnType<typeof opened>>) => socket.terminate(),
      1006,
      "Connection closed abnormally",
    ],
  ])("is told to $disconnect, case %#", async (end, disconnectStatusCode, disconnectReason) => {
    const harness = await start();
    const { socket, connectionId } = await connectTo(harness);
    end(socket);
    const event = await harness.eventOf("DISCONNECT");
    expect(event.requestContext).toMatchObject({
      routeKey: "$disconnect",
      connectionId,
      disconnectStatusCode,
      disconnectReason,
    });
    expect(harness.websocket.connections.post(connectionId, Buffer.from("x"))).toBe("gone");
  });

  it("comes to all at once when the gateway stops, and $disconnect has run by then", async () => {
    let finished = 0;
    const harness = await start({
      run: async (event) => {
        if (event.requestContext.eventType === "DISCONNECT") {
          await new Promise((resolve) => setTimeout(resolve, 50));
          finished += 1;
        }
        return ok({ statusCode: 200 });
      },
    });
    const sockets = await Promise.all([1, 2, 3].map(() => opened(harness.dial())));
    const ends = sockets.map((socket) => closed(socket));
    const startedAtMs = Date.now();
    await harness.gateway.stop();
    expect(Date.now() - startedAtMs).toBeLessThan(1_500);
    expect(finished).toBe(3);
    for (const end of await Promise.all(ends)) expect([1001, 1006]).toContain(end.code);
  });

  it("does not wait longer than two seconds for a $disconnect that hangs", async () => {
    const harness = await start({
      run: (event) =>
        event.requestContext.eventType === "DISCONNECT"
          ? new Promise(() => undefined)
          : ok({ statusCode: 200 }),
    });
    await opened(harness.dial());
    const startedAtMs = Date.now();
    await harness.gateway.stop();
    expect(Date.now() - startedAtMs).toBeLessThan(10_000);
  });
});

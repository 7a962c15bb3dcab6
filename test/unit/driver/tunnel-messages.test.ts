import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { desktopOperations, desktopPath } from "../../../infra/driver/desktops/desktop-operations.ts";
import { Connection } from "../../../infra/driver/tunnel/connection.ts";
import { RequestAssembler } from "../../../infra/driver/tunnel/request-assembler.ts";
import { ResponseSender } from "../../../infra/driver/tunnel/response-sender.ts";
import { ServiceClock } from "../../../infra/driver/tunnel/service-clock.ts";
import { type ResponseMessage, tunnelMessageBytesMax } from "../../../shared/contract/tunnel.ts";
import { parseDriverFrame, parseServiceFrame, splitBody } from "../../../shared/contract/tunnel-frames.ts";
import { encodeMessage, MessageTooLarge } from "../../../shared/tunnel/message-codec.ts";
import { FakeConnection, FakeService } from "../../support/fake-service/fake-service.ts";
import { ManualTiming, settle } from "../../support/fake-service/manual-timing.ts";
import { startDriver } from "../../support/fake-service/start-driver.ts";

describe("a body cut into parts", () => {
  it("is the same body again, in at most 3 parts of at most 20,000 bytes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), (size) => {
        const parts = splitBody(Buffer.alloc(size, 1));
        expect(parts.length).toBe(Math.max(1, Math.ceil(size / 20_000)));
        expect(Math.max(...parts.map((part) => part.byteLength))).toBeLessThanOrEqual(20_000);
        expect(Buffer.concat(parts).byteLength).toBe(size);
      }),
      { numRuns: 50 },
    );
  });

  it("is refused above 60,000 bytes", () => {
    expect(() => splitBody(new Uint8Array(60_001))).toThrow(RangeError);
  });

  it("comes together from any order, with any part repeated", () => {
    const connection = new FakeConnection(new FakeService(() => 0), { send() {}, close() {} }, {});
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 0, maxLength: 60_000, size: "max" }),
        fc.array(fc.nat({ max: 2 }), { maxLength: 6 }),
        (body, order) => {
          const messages = connection.requestParts({ path: "/computer/x", body });
          const assembler = new RequestAssembler();
          const whole = [...order, 2, 1, 0]
            .flatMap((part) => messages[part] ?? [])
            .flatMap((message) => assembler.add(message, 0) ?? []);
          expect(whole).toHaveLength(1);
          expect(Buffer.from(whole[0]?.body ?? []).equals(body)).toBe(true);
          expect(assembler.waits).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("of a request past its deadline is not waited for", () => {
    const connection = new FakeConnection(new FakeService(() => 0), { send() {}, close() {} }, {});
    const assembler = new RequestAssembler();
    const [first] = connection.requestParts({ path: "/x", body: new Uint8Array(30_000), deadline: 100 });
    if (first === undefined) throw new Error("no message");
    assembler.add(first, 0);
    expect(assembler.waits).toBe(true);
    const [whole] = connection.requestParts({ path: "/x", deadline: 900 });
    if (whole === undefined) throw new Error("no message");
    expect(assembler.add(whole, 101)).toBeDefined();
    expect(assembler.waits).toBe(false);
  });
});

describe("a response", () => {
  it("stays below the limit of a message with the longest of everything", () => {
    const sent: ResponseMessage[] = [];
    const sender = new ResponseSender((message) => sent.push(message), new ManualTiming());
    sender.answer("i".repeat(128), "r".repeat(2_048), 0, {
      status: 200,
      headers: {
        "content-type": "t".repeat(255),
        "content-length": "9".repeat(20),
        "retry-after": "9".repeat(64),
        "x-file-path": "%".repeat(1_024),
        "x-file-size": "9".repeat(20),
        "x-screen-settled": "false",
      },
      body: new Uint8Array(60_000),
      uploaded: false,
    });
    const longest = Math.max(...sent.map((message) => Buffer.byteLength(JSON.stringify(message))));
    expect(longest).toBeLessThanOrEqual(tunnelMessageBytesMax);
    expect(sent.every((message) => parseDriverFrame(JSON.stringify(message)).kind === "message")).toBe(true);
  });
});

describe("a hello", () => {
  it("stays below the limit of a message with the most programs, of the longest names", () => {
    const programs = Array.from({ length: 50 }, (_, at) => `${at + 10}${"𐐀".repeat(62)}`);
    const hello = { type: "hello", protocol: 1, capabilities: ["open_program"], programs };
    expect(parseDriverFrame(JSON.stringify(hello)).kind).toBe("message");
    const rest = { hostname: "€".repeat(255), os_info: "€".repeat(1_024), version: "€".repeat(255) };
    const capabilities = desktopOperations.map(desktopPath);
    const longest = Buffer.byteLength(JSON.stringify({ ...hello, ...rest, capabilities }));
    expect(longest).toBeLessThanOrEqual(tunnelMessageBytesMax);
  });

  it.each([
    ["one program too many", Array.from({ length: 51 }, (_, at) => `P${at}`)],
    ["a name of 65 letters", ["a".repeat(65)]],
    ["a name that is a command", ["xterm; id"]],
    ["a name that is none", [""]],
  ])("with %s is malformed", (_, programs) => {
    const hello = { type: "hello", protocol: 1, capabilities: ["open_program"], programs };
    expect(parseDriverFrame(JSON.stringify(hello)).kind).toBe("malformed");
  });
});

describe("a message at the limit", () => {
  const padded = <Message extends object>(message: Message, field: keyof Message, bytes: number): Message => {
    const empty = { ...message, [field]: "" };
    return { ...empty, [field]: "x".repeat(bytes - Buffer.byteLength(JSON.stringify(empty))) };
  };

  it.each([
    [32_000, true],
    [32_001, false],
  ])("of %i bytes is sent by a driver: %s", (bytes, isSent) => {
    const sent: string[] = [];
    const logged: string[] = [];
    let open = (): void => {};
    const hello = padded(
      { type: "hello" as const, protocol: 1, os_info: "", capabilities: [] },
      "os_info",
      bytes,
    );
    new Connection({
      url: "wss://tunnel.invalid/stage",
      headers: {},
      hello,
      dial: (_url, _headers, events) => {
        open = () => events.onOpen(undefined, undefined);
        return { send: (text) => sent.push(text), close() {}, terminate() {} };
      },
      timing: new ManualTiming(),
      clock: new ServiceClock(),
      log: (_level, message) => logged.push(message),
      keepSecret: undefined,
      listener: { onWelcome() {}, onRequest() {}, onGoodbye() {}, onEnd() {} },
    });
    open();
    expect(sent.map((text) => Buffer.byteLength(text))).toEqual(isSent ? [bytes] : []);
    expect(logged).toEqual(isSent ? [] : ["message too long, not sent"]);
  });

  it("of 32,000 bytes is sent by the service, and one of 32,001 is not made", () => {
    const error = { type: "error" as const, code: "", message: "m" };
    expect(Buffer.byteLength(encodeMessage(padded(error, "code", 32_000)))).toBe(32_000);
    expect(() => encodeMessage(padded(error, "code", 32_001))).toThrow(MessageTooLarge);
  });

  it.each([32_000, 32_001])(
    "of %i bytes is read by a driver, though the service sends none above",
    async (bytes) => {
      const { service, desktop } = await startDriver();
      const [request] = service.latest.requestParts({ path: "/computer/held", headers: { x: "" } });
      if (request === undefined) throw new Error("no message");
      const rest = Buffer.byteLength(JSON.stringify(request));
      service.latest.send({ ...request, headers: { x: "x".repeat(bytes - rest) } });
      await settle();
      expect(desktop.requests).toHaveLength(1);
    },
  );
});

describe("a frame", () => {
  it("is told apart from one of the other side", () => {
    expect(parseServiceFrame('{"type":"hello","protocol":1,"capabilities":[]}').kind).toBe("unknown_type");
    expect(parseDriverFrame('{"type":"welcome"}').kind).toBe("unknown_type");
  });

  it("with a part beyond its parts is malformed", () => {
    const response = { type: "response", id: "a", reply_to: "b", status: 200, part: 1, parts: 1 };
    expect(parseDriverFrame(JSON.stringify(response))).toMatchObject({ kind: "malformed", id: "a" });
  });

  it("with a body longer than a part, or that is no base64, is malformed", () => {
    const response = { type: "response", id: "a", reply_to: "b", status: 200, part: 0, parts: 1 };
    const long = Buffer.alloc(20_004).toString("base64");
    expect(parseDriverFrame(JSON.stringify({ ...response, body: long })).kind).toBe("malformed");
    expect(parseDriverFrame(JSON.stringify({ ...response, body: "~" })).kind).toBe("malformed");
  });
});

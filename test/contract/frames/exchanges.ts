import { TunnelHeader } from "../../../shared/contract/tunnel.ts";
import { type Asked, type DesktopAnswer, type Exchange, fixed, type Opening } from "./exchange.ts";
import { recordBoth, recordOne } from "./play.ts";

const json = { "content-type": "application/json" };
const octets = { "content-type": "application/octet-stream" };
const get: Asked = {
  method: "GET",
  path: "/computer/display/dimensions",
  query: "",
  headers: {},
  largeResponse: false,
  repeat: false,
};
const post: Asked = { ...get, method: "POST", path: "/computer/input/mouse/scroll", headers: json };
const done: DesktopAnswer = { status: 200, headers: json, body: "{}" };
const hello = { type: "hello", protocol: 1, capabilities: [] };
const handshake = {
  [TunnelHeader.authorization]: fixed.authorization,
  [TunnelHeader.fingerprint]: fixed.fingerprint,
};
const fullHandshake = {
  ...handshake,
  [TunnelHeader.driverVersion]: "1.0.0",
  [TunnelHeader.hostname]: "desk-7",
  [TunnelHeader.name]: "Front desk",
  [TunnelHeader.remotePeerId]: "peer-fixture",
  [TunnelHeader.keepaliveFor]: fixed.keptAliveId,
};

const request = {
  type: "request",
  id: "r-1",
  reply_to: "opaque",
  method: "POST",
  path: "/computer/input/mouse/scroll",
  query: "",
  deadline: fixed.nowMs + 25_000,
  action_id: "a-1",
  repeat: false,
};
const base64 = (text: string) => Buffer.from(text).toString("base64");

type Recording = () => Promise<Exchange>;

function both(name: string, rest: Omit<Opening, "name" | "ours"> = {}): Recording {
  return () => recordBoth({ name, ours: ["driver", "service"], ...rest });
}

function one(
  end: "driver" | "service",
  name: string,
  peer: Parameters<typeof recordOne>[1],
  rest: Omit<Opening, "name" | "ours"> = {},
): Recording {
  return () => recordOne({ name, ours: [end], ...rest }, peer);
}

const answering =
  (parts: readonly object[]) =>
  ([asked]: readonly (object | string)[]) => {
    const { id, reply_to } = asked as { id: string; reply_to: string };
    return parts.map((part) => ({ type: "response", id, reply_to, status: 200, ...part }));
  };

/** What goes over the tunnel: a name once written is never given to something else. */
const recordings: readonly Recording[] = [
  both("a driver connects and says all of itself", { handshake: fullHandshake }),
  one("service", "a driver connects and says the least", () => [hello, { type: "ping", at: 0 }], {
    handshake,
  }),
  one("service", "hello with fields that are not known", () => [
    { ...hello, hostname: "desk-8", os_info: "os", version: "2", later: { field: 1 } },
  ]),
  one(
    "driver",
    "welcome with the machine's own secret",
    () => [
      {
        type: "welcome",
        protocol: 1,
        machine_id: fixed.machineId,
        organization_id: fixed.organizationId,
        machine_secret: "A".repeat(43),
        connection_id: "c-1",
        transfer_hosts: [fixed.bucketHost],
        ping_seconds: 300,
        message_bytes_max: 32_000,
      },
    ],
    { handshake },
  ),
  one(
    "service",
    "a driver that keeps a secret connects",
    () => [{ ...hello, capabilities: ["machine_secret"] }],
    { handshake },
  ),
  one("service", "ping with a proof", () => [
    { type: "ping", at: 2, secret_proof: "gEpqO1PiRAxjAtHgghhLyZrFl3lC_FIHfh3orpzGeRc" },
  ]),
  one("service", "hello in another protocol", () => [{ ...hello, protocol: 2 }], { handshake }),
  one("service", "ping before hello", () => [{ type: "ping", at: 1 }], { handshake }),
  one(
    "driver",
    "welcome with fields that are not known",
    () => [
      {
        type: "welcome",
        protocol: 1,
        machine_id: "m",
        organization_id: "o",
        transfer_hosts: [fixed.bucketHost],
        ping_seconds: 60,
        message_bytes_max: 32_000,
        later: true,
      },
    ],
    { handshake },
  ),

  both("a request without a body", { asked: { ...get, query: "a=1&b=%20" }, desktop: done }),
  both("a request with a body", {
    asked: { ...post, body: '{"direction":"up","amount":3}' },
    desktop: done,
  }),
  both("an answer without a body", { asked: post, desktop: { status: 204, headers: {} } }),
  both("a request and an answer in two parts", {
    asked: { ...post, bytes: 20_001 },
    desktop: { status: 200, headers: { "content-type": "text/plain" }, bytes: 20_001 },
  }),
  both("a request with its body in the bucket", {
    asked: { ...post, headers: octets, bodyKey: "uploads/fixture" },
    desktop: done,
  }),
  both("an answer that stays small where it may be large", {
    asked: { ...get, largeResponse: true },
    desktop: done,
  }),
  both("an answer in the bucket", {
    asked: { ...get, path: "/computer/fs/read", query: "path=%2Ftmp%2Fa&as=url", largeResponse: true },
    desktop: {
      status: 200,
      headers: {
        ...octets,
        "x-file-path": "%2Ftmp%2Fa",
        "x-file-size": "4",
        "x-private": "not for the wire",
      },
      body: "file",
    },
  }),
  both("a screenshot of a screen that is still", {
    asked: { ...get, path: "/computer/display/screenshot", query: "settle_ms=500&cursor=true" },
    desktop: {
      status: 200,
      headers: { "content-type": "image/png", "x-screen-settled": "true" },
      body: "png",
    },
  }),
  both("a screen that is followed, and shows what the caller has", {
    asked: {
      ...get,
      path: "/computer/display/screenshot",
      query: "width=320&wait_ms=10000",
      headers: { "if-none-match": '"fixture."' },
      largeResponse: true,
    },
    desktop: { status: 304, headers: { etag: '"fixture."' } },
  }),
  both("a batch and the screen after it", {
    asked: {
      ...post,
      path: "/computer/batch",
      body: '{"actions":[{"type":"wait","seconds":0}],"screenshot":true,"settle_ms":500,"cursor":false}',
      largeResponse: true,
    },
    desktop: {
      ...done,
      body: '{"results":[{"type":"wait","status":"done"}],"screenshot":{"settled":true,"png":"cG5n"}}',
    },
  }),
  one(
    "service",
    "a driver that does batches connects",
    () => [{ ...hello, capabilities: ["computer/batch"] }],
    {
      handshake,
    },
  ),
  one(
    "service",
    "a driver that opens programs connects",
    () => [{ ...hello, capabilities: ["open_program"], programs: ["Orders", "Büro 4.1"] }],
    { handshake },
  ),
  both("an answer too large to be sent", { asked: post, desktop: { ...done, bytes: 60_001 } }),
  both("an answer that says when to come again", {
    asked: post,
    desktop: {
      status: 429,
      headers: { ...json, "retry-after": "1" },
      body: '{"error":"four at a time","code":"busy"}',
    },
  }),
  both("an answer of a desktop that failed", {
    asked: post,
    desktop: { status: 500, headers: json, body: '{"error":"no display","code":"desktop_failed"}' },
  }),
  both("an action that is asked for again and is not known", { asked: { ...post, repeat: true } }),
  both("a shutdown", {
    asked: {
      ...post,
      path: "/internal/shutdown",
      body: '{"source":"cloud-api","reason":"user_disabled_machine"}',
    },
  }),
  one(
    "driver",
    "a request in three parts, in any order and more than once",
    () => [
      { ...request, part: 1, parts: 3, body: base64("two ") },
      { ...request, part: 2, parts: 3, body: base64("three") },
      { ...request, part: 1, parts: 3, body: base64("two ") },
      {
        ...request,
        part: 0,
        parts: 3,
        headers: { "Content-Type": "text/plain" },
        body: base64("one "),
        trace: "t",
        later: 1,
      },
      { ...request, part: 2, parts: 3, body: base64("three") },
      { type: "received", id: "r-1", part: 0, later: 1 },
    ],
    { desktop: done },
  ),
  one(
    "driver",
    "a request again, over the same connection, under another id",
    () => [
      { ...request, part: 0, parts: 1 },
      { ...request, id: "r-2", reply_to: "other", repeat: true, part: 0, parts: 1 },
    ],
    { desktop: done },
  ),
  one("driver", "a request past its deadline", () => [
    { ...request, deadline: fixed.nowMs - 1, part: 0, parts: 1 },
  ]),
  one(
    "service",
    "an answer in three parts, in any order and more than once",
    answering([
      { part: 2, parts: 3, body: base64("three") },
      { part: 1, parts: 3, body: base64("two ") },
      { part: 1, parts: 3, body: base64("two ") },
      { part: 0, parts: 3, headers: { "Content-Type": "text/plain" }, body: base64("one "), later: 1 },
    ]),
    { asked: post },
  ),
  one("service", "an answer with as little as there may be", answering([{ part: 0, parts: 1 }]), {
    asked: post,
  }),
  one("service", "an answer that was made up", () => [
    { type: "response", id: "r-1", reply_to: "made.up", status: 200, headers: {}, part: 0, parts: 1 },
  ]),

  both("goodbye: superseded", { dismissed: "superseded" }),
  both("goodbye: revoked", { dismissed: "revoked" }),
  both("goodbye: deleted", { dismissed: "deleted" }),
  both("goodbye: rate_limited", { dismissed: "rate_limited" }),
  both("goodbye: moved", { dismissed: "moved" }),
  one("driver", "goodbye for a while", () => [
    { type: "goodbye", code: "revoked", retry_after_seconds: 30.5, later: 1 },
  ]),

  one("service", "frames of a driver that cannot be used", () => [
    { type: "later", id: "r-1" },
    { type: "response", id: "r-1", status: 99 },
    { type: "ping", at: "noon" },
    "no JSON",
    { message: "Internal server error", connectionId: "Fixture=", requestId: "x" },
    { type: "error", code: "" },
    { type: "error", code: "malformed", message: "of the driver's own", id: "r-1" },
  ]),
  one("driver", "frames of a service that cannot be used", () => [
    { type: "later", id: "r-1" },
    { ...request, part: 1, parts: 1 },
    { type: "pong" },
    "no JSON",
    { message: "Internal server error", connectionId: "Fixture=", requestId: "x" },
    { type: "error", code: "" },
    { type: "error", code: "unknown_type", message: "of the service's own" },
  ]),
];

export async function recordExchanges(): Promise<readonly Exchange[]> {
  return await Promise.all(recordings.map((record) => record()));
}

import type * as z from "zod";
import {
  ErrorMessage,
  GoodbyeMessage,
  HelloMessage,
  PingMessage,
  PongMessage,
  ReceivedMessage,
  RequestMessage,
  ResponseMessage,
  WelcomeMessage,
} from "../../shared/contract/tunnel.ts";

export interface TunnelMessage {
  readonly name: string;
  readonly from: "driver" | "service" | "either";
  readonly summary: string;
  readonly description?: string;
  readonly schema: z.ZodType;
  readonly answeredBy?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const id = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";
const replyTo = "m1.0198c0de7a1b.b3BhcXVl.c2lnbmVk";

export const tunnelMessages: readonly TunnelMessage[] = [
  {
    name: "hello",
    from: "driver",
    summary: "First message on a connection; the service cannot speak before it.",
    schema: HelloMessage,
    answeredBy: "welcome",
    example: {
      type: "hello",
      protocol: 1,
      hostname: "front-desk",
      os_info: "Linux 6.1",
      version: "1.0.0",
      capabilities: [
        "/computer/display/screenshot",
        "/internal/shutdown",
        "screenshot_settle",
        "computer/batch",
        "open_program",
        "single_part_unacknowledged",
      ],
      programs: ["Orders"],
    },
  },
  {
    name: "welcome",
    from: "service",
    summary: "From here on the machine is connected.",
    schema: WelcomeMessage,
    example: {
      type: "welcome",
      protocol: 1,
      machine_id: id,
      organization_id: "org_1",
      transfer_hosts: ["files.s3.eu-central-1.amazonaws.com"],
      ping_seconds: 300,
      message_bytes_max: 32_000,
    },
  },
  {
    name: "request",
    from: "service",
    summary: "One part of a request: HTTP over the tunnel.",
    description:
      "Every part repeats everything but `headers`, `download`, `upload` and `trace`, which part 0 carries, because parts may arrive in any order. A request past its deadline is dropped; a fifth in flight gets 429. `repeat` requests the response of an action already sent: a driver that does not know `action_id` says 409 and does nothing.",
    schema: RequestMessage,
    answeredBy: "response",
    example: {
      type: "request",
      id: "r-1",
      reply_to: replyTo,
      method: "POST",
      path: "/computer/input/mouse/scroll",
      query: "",
      headers: { "content-type": "application/json" },
      deadline: 1_795_262_400_000,
      action_id: "a-1",
      repeat: false,
      part: 0,
      parts: 1,
      body: "eyJkaXJlY3Rpb24iOiJkb3duIiwiYW1vdW50IjozfQ==",
    },
  },
  {
    name: "response",
    from: "driver",
    summary: "One part of a response; sent again until its `received` arrives.",
    description:
      "A body above 60,000 bytes is put to `upload` of the request instead, and `uploaded` is true.",
    schema: ResponseMessage,
    answeredBy: "received",
    example: {
      type: "response",
      id: "r-1",
      reply_to: replyTo,
      status: 200,
      headers: { "content-type": "application/json" },
      part: 0,
      parts: 1,
      body: "e30=",
    },
  },
  {
    name: "received",
    from: "service",
    summary: "This part of the response is stored and need not be sent again.",
    schema: ReceivedMessage,
    example: { type: "received", id: "r-1", part: 0 },
  },
  {
    name: "ping",
    from: "driver",
    summary:
      "Every `ping_seconds`, because networks drop what was idle for 350 seconds, and API Gateway closes it after 600.",
    schema: PingMessage,
    answeredBy: "pong",
    example: { type: "ping", at: 1_795_262_400_000 },
  },
  {
    name: "pong",
    from: "service",
    summary: "Answers a ping with the service's clock.",
    schema: PongMessage,
    example: { type: "pong", at: 1_795_262_400_123 },
  },
  {
    name: "goodbye",
    from: "service",
    summary: "The connection is about to be deleted.",
    description: "Only this ends a driver for good: 401 and 403 at the handshake may come from the gateway.",
    schema: GoodbyeMessage,
    example: { type: "goodbye", code: "superseded", retry_after_seconds: null },
  },
  {
    name: "error",
    from: "either",
    summary: "A message could not be used; never answered.",
    schema: ErrorMessage,
    example: { type: "error", code: "unknown_type", message: "there is no message of the type greeting" },
  },
];

import * as z from "zod";
import { dismissalReasons } from "../vocabulary/machines.ts";
import { httpMethods } from "../vocabulary/methods.ts";
import { unprintable } from "../vocabulary/unprintable.ts";
import { ProgramNames } from "./fields/program-name.ts";
import { text } from "./fields/text.ts";

export const tunnelProtocol = 1;

/**
 * One byte above the frame limit would close the socket.
 *
 * Source:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
export const tunnelMessageBytesMax = 32_000;

/** Base64 makes 26,668 characters of these bytes. */
export const tunnelPartBytesMax = 20_000;

/** A larger body goes through the bucket. */
export const tunnelPartsMax = 3;

export const tunnelBodyBytesMax = tunnelPartBytesMax * tunnelPartsMax;

/** A driver answers 429 to one more request. */
export const tunnelInFlightMax = 4;

/** The names may arrive in any case. */
export const TunnelHeader = {
  authorization: "authorization",
  fingerprint: "x-machine-fingerprint",
  machineSecret: "x-machine-secret",
  driverVersion: "x-driver-version",
  hostname: "x-machine-hostname",
  name: "x-machine-name",
  remotePeerId: "x-remote-peer-id",
  keepaliveFor: "x-keepalive-for",
} as const;

export const RequestId = z.string().min(1).max(128);
const Base64Part = z.base64().max(4 * Math.ceil(tunnelPartBytesMax / 3));
/**
 * JSON can escape half of a surrogate pair, which UTF-8 cannot encode: it becomes U+FFFD here, once for all readers.
 */
const Text = z.string().overwrite((given) => given.toWellFormed());
const boundedText = (max: number) => text(0, max).overwrite((given) => given.toWellFormed());
const notInNames = () => new RegExp(`[${unprintable}]`, "gu");
/** A driver with such a name is let in, and shown without them. */
const boundedName = (max: number) =>
  boundedText(max).overwrite((given) => given.replace(notInNames(), "\ufffd"));
const Headers = z.record(boundedText(255), Text);
const Timestamp = z.int().min(0);
const PartCount = z.int().min(1).max(tunnelPartsMax);
const PartNumber = z
  .int()
  .min(0)
  .max(tunnelPartsMax - 1);

function isPartOfItsBody(message: { part: number; parts: number }): boolean {
  return message.part < message.parts;
}

export const TunnelTransfer = z.object({
  url: z.url().describe("The presigned address."),
  headers: Headers.describe("The headers to send with the request, exactly as given."),
});
export type TunnelTransfer = z.infer<typeof TunnelTransfer>;

/** Drivers with the capability `fs_manage` serve these paths. */
export const managedFilePaths = {
  makeFolder: "/computer/fs/folder",
  remove: "/computer/fs/remove",
} as const;

/** A driver with this capability keeps the secret that its welcome gives it, and shows it from then on. */
export const machineSecretCapability = "machine_secret";

const Bits256 = z.string().regex(/^[\w-]{43}$/);

/** The service cannot send before the hello. */
export const HelloMessage = z.object({
  type: z.literal("hello").describe("The constant `hello`."),
  protocol: z.int().describe("The version of the protocol that the driver speaks."),
  hostname: boundedName(255).optional().describe("The machine's name in its network."),
  os_info: boundedName(1024).optional().describe("The machine's operating system."),
  version: boundedName(255).optional().describe("The driver's version."),
  capabilities: z
    .array(boundedText(255))
    .max(100)
    .describe(
      "Paths that the driver serves, such as `/computer/display/screenshot`, and the names of what not every driver does, such as `computer/batch`.",
    ),
  programs: ProgramNames.optional().describe(
    "Names of the programs that a driver with `open_program` opens: the machine's own list.",
  ),
});
export type HelloMessage = z.infer<typeof HelloMessage>;

export const WelcomeMessage = z.object({
  type: z.literal("welcome").describe("The constant `welcome`."),
  protocol: z.int().describe("The version of the protocol that the service speaks."),
  machine_id: z.string().describe("The id of the driver's machine."),
  organization_id: z.string().describe("The organization that the machine belongs to."),
  machine_secret: Bits256.optional().describe(
    "The machine's own secret, shown once: to a driver with the capability `machine_secret` that showed none.",
  ),
  connection_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("The connection's id, which `secret_proof` is made of; present with `machine_secret`."),
  transfer_hosts: z
    .array(z.string().min(1).max(255))
    .max(10)
    .describe(
      "Hosts, with their port if it is not the usual one, that `download` and `upload` lead to over this connection.",
    ),
  ping_seconds: z
    .int()
    .min(1)
    .describe(
      "Time between two pings of the driver, in seconds: a setting of the deployment, from 60 to 330.",
    ),
  message_bytes_max: z.int().min(1).describe("Largest message in either direction, in bytes of UTF-8."),
});
export type WelcomeMessage = z.infer<typeof WelcomeMessage>;

/** Every part repeats all but `headers`, `download`, `upload` and `trace`: parts may arrive in any order. */
export const RequestMessage = z
  .object({
    type: z.literal("request").describe("The constant `request`."),
    id: RequestId.describe("The request's id, the same in all of its parts."),
    reply_to: z
      .string()
      .min(1)
      .max(2048)
      .describe("A text that is opaque to the driver, which copies it into every part of its response."),
    method: z.enum(httpMethods).describe("The HTTP method."),
    path: z
      .string()
      .startsWith("/")
      .max(1024)
      .describe("The path without the query: `/computer/...` or `/internal/shutdown`."),
    query: z.string().max(8192).describe("The query without the question mark; empty if there is none."),
    headers: Headers.optional().describe("The headers; part 0 only."),
    deadline: Timestamp.describe(
      "Time until which a response is waited for, in milliseconds since the epoch.",
    ),
    action_id: z
      .string()
      .min(1)
      .max(128)
      .describe("The id of an action that must be done at most once, even if the request is repeated."),
    repeat: z
      .boolean()
      .describe("Whether the response of an action already sent is requested, not the action."),
    part: PartNumber.describe("The number of this part, counted from 0."),
    parts: PartCount.describe("Number of parts that the request has."),
    body: Base64Part.optional().describe("This part of the body in base64; absent if empty."),
    download: TunnelTransfer.optional().describe(
      `The address (GET) of a body above ${tunnelBodyBytesMax} bytes; part 0 only.`,
    ),
    upload: TunnelTransfer.optional().describe(
      `The address (PUT) for a response's body above ${tunnelBodyBytesMax} bytes; part 0 only.`,
    ),
    trace: z.string().max(1024).optional().describe("The trace that the request belongs to; part 0 only."),
  })
  .refine(isPartOfItsBody, "part must be smaller than parts");
export type RequestMessage = z.infer<typeof RequestMessage>;

/** A part is resent until its `received` arrives. */
export const ResponseMessage = z
  .object({
    type: z.literal("response").describe("The constant `response`."),
    id: RequestId.describe("The request's id."),
    reply_to: z.string().min(1).max(2048).describe("The request's `reply_to`, copied."),
    status: z
      .int()
      .min(200)
      .max(599)
      .describe(
        "The HTTP status: 501 for what the driver does not do, 404 for a path that it does not serve.",
      ),
    headers: Headers.optional().describe("The headers, with names in lower case; part 0 only."),
    part: PartNumber.describe("The number of this part, counted from 0."),
    parts: PartCount.describe("Number of parts that the response has."),
    body: Base64Part.optional().describe("This part of the body in base64; absent if empty."),
    uploaded: z
      .boolean()
      .optional()
      .describe("Whether the body was put to `upload`; then there is one part, without `body`."),
  })
  .refine(isPartOfItsBody, "part must be smaller than parts");
export type ResponseMessage = z.infer<typeof ResponseMessage>;

export const ReceivedMessage = z.object({
  type: z.literal("received").describe("The constant `received`."),
  id: RequestId.describe("The request's id."),
  part: PartNumber.describe("The number of the part of the response that is stored."),
});
export type ReceivedMessage = z.infer<typeof ReceivedMessage>;

export const PingMessage = z.object({
  type: z.literal("ping").describe("The constant `ping`."),
  at: Timestamp.describe("The driver's clock, in milliseconds since the epoch."),
  secret_proof: Bits256.optional().describe(
    "The proof that the driver has kept the secret of the connection's welcome: HMAC-SHA-256 of the welcome's `connection_id` in base64url. Its key is the 32 bytes of the SHA-256 of the secret's text, so that the service need not keep the secret.",
  ),
});
export type PingMessage = z.infer<typeof PingMessage>;

export const PongMessage = z.object({
  type: z.literal("pong").describe("The constant `pong`."),
  at: Timestamp.describe(
    "The service's clock, in milliseconds since the epoch, by which a driver whose own clock is wrong knows when a deadline has passed.",
  ),
});
export type PongMessage = z.infer<typeof PongMessage>;

export const GoodbyeCode = z.enum(dismissalReasons);
export type GoodbyeCode = z.infer<typeof GoodbyeCode>;

export const GoodbyeMessage = z.object({
  type: z.literal("goodbye").describe("The constant `goodbye`."),
  code: GoodbyeCode.describe("The reason why the connection is about to be deleted."),
  retry_after_seconds: z
    .number()
    .min(0)
    .nullable()
    .describe(
      "Time after which the driver may connect again, in seconds; null for never. With `superseded` this socket alone is meant, whatever the driver's other sockets do.",
    ),
  address: z
    .url()
    .max(2_048)
    .optional()
    .describe(
      "The WebSocket address where the organization is now, with `moved`, which only a driver with that capability gets.",
    ),
});
export type GoodbyeMessage = z.infer<typeof GoodbyeMessage>;

/** An error is never answered. */
export const ErrorMessage = z.object({
  type: z.literal("error").describe("The constant `error`."),
  code: z
    .string()
    .min(1)
    .max(64)
    .describe("The kind of error: `unknown_type`, `malformed`, or one of the sender's own."),
  message: z.string().max(1024).describe("A sentence for people that says what is wrong."),
  id: RequestId.optional().describe("The request concerned."),
});
export type ErrorMessage = z.infer<typeof ErrorMessage>;

export const DriverMessage = z.discriminatedUnion("type", [
  HelloMessage,
  ResponseMessage,
  PingMessage,
  ErrorMessage,
]);
export type DriverMessage = z.infer<typeof DriverMessage>;

export const ServiceMessage = z.discriminatedUnion("type", [
  WelcomeMessage,
  RequestMessage,
  ReceivedMessage,
  PongMessage,
  GoodbyeMessage,
  ErrorMessage,
]);
export type ServiceMessage = z.infer<typeof ServiceMessage>;

import {
  type HelloMessage,
  type PingMessage,
  type ResponseMessage,
  type ServiceMessage,
  tunnelProtocol,
} from "../../shared/contract/tunnel.ts";
import {
  countFrame,
  countFrameHere,
  countFrameOnRecord,
} from "../../shared/domain/connection/count-frame.ts";
import { recordPing, type SecretProof } from "../../shared/domain/connection/record-ping.ts";
import { timestampOfId } from "../../shared/domain/derive-id.ts";
import { driverCallTimeoutMs } from "../../shared/domain/tunnel/call-driver.ts";
import type { CallName } from "../../shared/domain/tunnel/call-records.ts";
import type { MailboxPart } from "../../shared/domain/tunnel/mailbox.ts";
import type { Delivery } from "../../shared/domain/tunnel/socket-gateway.ts";
import { isSettledOnArrival } from "../../shared/tunnel/answer-assembly.ts";
import { isSecretProof } from "../../shared/tunnel/machine-secret.ts";
import { encodeMessage, errorFor, readDriverFrame, tunnelError } from "../../shared/tunnel/message-codec.ts";
import { type ReplyAddress, verifyReplyTo } from "../../shared/tunnel/reply-to.ts";
import { receiveFromViewer } from "./receive-from-viewer.ts";
import { receiveHello } from "./receive-hello.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** With its call's facts beside it, such an answer leaves the record at one or two write units. */
const carriedBytesMax = 1_024;

/** The limit for repeats of one part in 60 s; a driver resends a part after 2, 4, 8 … s, until the deadline. */
const repeatsPerMinuteMax = 9;

/**
 * Handles a frame (`$default`). Too many frames get an order to retry later, and close the socket. Drivers' usual frames
 * are none of a viewer's, so they cost no read to tell the two apart.
 */
export async function receiveMessage(deps: TunnelDeps, websocketId: string, text: string): Promise<void> {
  const frame = readDriverFrame(text);
  if (frame.kind === "message" && frame.message.type === "ping") {
    return await receivePing(deps, websocketId, frame.message);
  }
  if (frame.kind === "message" && frame.message.type === "response") {
    return await receiveResponse(deps, websocketId, frame.message);
  }
  if (frame.kind === "message" && frame.message.type === "hello") {
    return await greet(deps, websocketId, frame.message);
  }
  if (!(await countFrameHere(deps, websocketId))) return;
  const viewer = await deps.viewers.findBySocket(websocketId);
  if (viewer) return await receiveFromViewer(deps, viewer, text);
  if (!(await countFrameOnRecord(deps, websocketId))) return;
  if (frame.kind !== "message") {
    const error = errorFor(frame);
    if (error) await post(deps, websocketId, error);
  } else if (frame.message.type === "error") {
    // The message gets no response. Its text may contain anything, so it is not logged.
    deps.logger.warn("driver reported an error", { tunnel_request_id: frame.message.id });
  }
}

/** A closed socket needs no response: its `$disconnect`, the sweeper, or the next call handles it. */
async function post(
  deps: Pick<TunnelDeps, "sockets">,
  websocketId: string,
  message: ServiceMessage,
): Promise<Delivery> {
  return await deps.sockets.post(websocketId, encodeMessage(message));
}

/** The first hello of a connection is not counted, because it connects the machine or ends the socket. */
async function greet(deps: TunnelDeps, websocketId: string, hello: HelloMessage): Promise<void> {
  const connection = await deps.connections.findByWebsocketId(websocketId);
  if (!connection) return await deps.sockets.disconnect(websocketId);
  const isFirst = connection.status === "pending" && hello.protocol === tunnelProtocol;
  if (isFirst || (await countFrame(deps, websocketId))) await receiveHello(deps, connection, hello);
}

async function receivePing(deps: TunnelDeps, websocketId: string, ping: PingMessage): Promise<void> {
  const { secret_proof: proof } = ping;
  const isProved: SecretProof | undefined =
    proof === undefined ? undefined : (digest, connectionId) => isSecretProof(digest, connectionId, proof);
  const recorded = await recordPing(deps, websocketId, isProved);
  if (recorded === "heard") await post(deps, websocketId, { type: "pong", at: deps.clock.now() });
  if (recorded === "hello_expected") {
    await post(deps, websocketId, tunnelError("hello_expected", "say hello before anything else"));
  }
}

/** Makes one write and no read for a small answer: `reply_to` proves that the socket may answer this request. */
async function receiveResponse(
  deps: TunnelDeps,
  websocketId: string,
  response: ResponseMessage,
): Promise<void> {
  const { id, part, parts, status, headers, body } = response;
  const address = await verifyReplyTo(deps.signer, response.reply_to, { websocketId, requestId: id });
  if (address === undefined) {
    deps.logger.warn("response refused: not the reply_to of this connection and request", {
      tunnel_request_id: id,
    });
    if (!(await countFrame(deps, websocketId))) return;
    const refusal = tunnelError(
      "reply_to_refused",
      "reply_to is not that of this connection and request",
      id,
    );
    await post(deps, websocketId, refusal);
    return;
  }
  const bytes = body === undefined ? undefined : Buffer.from(body, "base64");
  const arrived = {
    mailbox: address.mailbox,
    organizationId: address.organizationId,
    websocketId,
    requestId: id,
    part,
    parts,
    status,
    ...(part === 0 && headers && { headers: lowerCased(headers) }),
    ...(bytes && { body: bytes }),
    uploaded: response.uploaded ?? false,
  };
  const isLate = deps.clock.now() - timestampOfId(id) >= driverCallTimeoutMs;
  const isStored = isLate ? await deps.mailboxes.put(arrived) : await store(deps, address, arrived);
  if (isStored) {
    if (isLate) await noteLate(deps, websocketId);
    deps.logger[isLate || status >= 500 ? "info" : "debug"]("driver responded", {
      tunnel_request_id: id,
      driver_status: status,
      part,
      parts,
    });
  } else if (await isOneTooMany(deps, `${websocketId}#${id}#${part}`)) {
    if (!(await countFrame(deps, websocketId))) return;
  }
  if (parts > 1 || !address.isUnacknowledged) await post(deps, websocketId, { type: "received", id, part });
}

/**
 * Stores an answer without a call, or too large for its call's record, in the mailbox.
 *
 * @returns false when that part is there already, or its caller has given up.
 */
async function store(
  deps: Pick<TunnelDeps, "mailboxes" | "callRecords" | "slots" | "clock" | "logger">,
  address: ReplyAddress,
  arrived: MailboxPart,
): Promise<boolean> {
  const { organizationId, callOf, facts, slotOf, isLarge = false } = address;
  const { requestId, part, parts, status, headers, body, uploaded } = arrived;
  const bytes = body?.byteLength ?? 0;
  const durationMs = Math.max(0, deps.clock.now() - timestampOfId(requestId));
  const outcome = isSettledOnArrival(arrived) ? { outcome: status, durationMs, bytes } : undefined;
  const nameOf = (connectionId: string): CallName => ({ organizationId, connectionId, requestId });
  const isCarried = !isLarge && parts === 1 && bytes + sizeOf(headers) <= carriedBytesMax;
  if (callOf !== undefined && isCarried) {
    try {
      const answer = { status, headers, body, uploaded };
      return await deps.callRecords.arrive(nameOf(callOf), { facts, answer, outcome });
    } catch (cause) {
      // The caller finds it there without a note, which the record would hardly take either.
      deps.logger.warn("an answer goes to its caller's mailbox, since its call's record is busy", { cause });
      return await deps.mailboxes.put(arrived);
    }
  }
  const isStored = await deps.mailboxes.put(arrived);
  const isNoted = part === 0 && (outcome !== undefined || !isLarge);
  try {
    if (callOf !== undefined && isNoted) await deps.callRecords.arrive(nameOf(callOf), { facts, outcome });
    if (slotOf !== undefined && outcome) await deps.slots.release(nameOf(slotOf), outcome);
  } catch (cause) {
    // The driver need not answer again, because the caller looks into its mailbox after a while even so.
    deps.logger.warn("a call's record does not say that its answer is in the mailbox", { cause });
  }
  return isStored;
}

/** Nobody waits for a late answer any more, but it shows that the driver answers again. */
async function noteLate({ connections }: TunnelDeps, websocketId: string): Promise<void> {
  const connection = await connections.findByWebsocketId(websocketId);
  if (connection) await connections.noteAnswered(connection);
}

/** A repeated part is acknowledged again: the acknowledgement may have been lost. */
async function isOneTooMany(deps: Pick<TunnelDeps, "rateLimiter">, part: string): Promise<boolean> {
  const decision = await deps.rateLimiter.take({ name: `repeat#${part}`, limit: repeatsPerMinuteMax });
  return decision.kind === "refused";
}

function sizeOf(headers: Readonly<Record<string, string>> | undefined): number {
  return headers === undefined ? 0 : Buffer.byteLength(JSON.stringify(headers));
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

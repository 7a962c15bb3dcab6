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
import type { CallName, CallOutcome } from "../../shared/domain/tunnel/call-slots.ts";
import type { Delivery } from "../../shared/domain/tunnel/socket-gateway.ts";
import { isSettledOnArrival } from "../../shared/tunnel/answer-assembly.ts";
import { isSecretProof } from "../../shared/tunnel/machine-secret.ts";
import { encodeMessage, errorFor, readDriverFrame, tunnelError } from "../../shared/tunnel/message-codec.ts";
import { verifyReplyTo } from "../../shared/tunnel/reply-to.ts";
import { receiveFromViewer } from "./receive-from-viewer.ts";
import { receiveHello } from "./receive-hello.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** Within this time a caller has taken its slot or knows that none is free. */
const slotTakenWithinMs = 200;

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

/** Makes two writes and no read: `reply_to` proves that the socket may answer this request, and names its slot. */
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
  const { mailbox, organizationId } = address;
  const bytes = body === undefined ? undefined : Buffer.from(body, "base64");
  const uploaded = response.uploaded ?? false;
  const isStored = await deps.mailboxes.put({
    mailbox,
    organizationId,
    websocketId,
    requestId: id,
    part,
    parts,
    status,
    ...(part === 0 && headers && { headers: lowerCased(headers) }),
    ...(bytes && { body: bytes }),
    uploaded,
  });
  const isLate = deps.clock.now() - timestampOfId(id) >= driverCallTimeoutMs;
  if (address.slotOf !== undefined && !isLate && isSettledOnArrival({ parts, uploaded })) {
    const call = { organizationId, connectionId: address.slotOf, requestId: id };
    await giveSlotBack(deps, call, { outcome: status, bytes: bytes?.byteLength ?? 0 }, isStored);
  }
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
 * The caller takes the slot beside its request, so a fast driver may answer first; the release is then retried once. A
 * failed write must not make the driver answer again: the slot's lease ends by itself.
 */
async function giveSlotBack(
  { slots, clock, logger }: Pick<TunnelDeps, "slots" | "clock" | "logger">,
  call: CallName,
  outcome: Omit<CallOutcome, "durationMs">,
  isFirst: boolean,
): Promise<void> {
  const release = async () =>
    await slots.release(call, {
      ...outcome,
      durationMs: Math.max(0, clock.now() - timestampOfId(call.requestId)),
    });
  try {
    if (await release()) return;
    // A call that the driver refused found no free slot, so its caller took none. A repeated part arrives later.
    if (outcome.outcome === 429 || !isFirst) return;
    await clock.sleep(slotTakenWithinMs);
    await release();
  } catch (cause) {
    logger.warn("a call's slot was not given back; its lease ends by itself", { cause });
  }
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

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

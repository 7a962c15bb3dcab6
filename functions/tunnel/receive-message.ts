import {
  type HelloMessage,
  type PingMessage,
  type ResponseMessage,
  type ServiceMessage,
  tunnelProtocol,
} from "../../shared/contract/tunnel.ts";
import { countFrame } from "../../shared/domain/connection/count-frame.ts";
import { recordPing, type SecretProof } from "../../shared/domain/connection/record-ping.ts";
import { timestampOfId } from "../../shared/domain/derive-id.ts";
import { driverCallTimeoutMs } from "../../shared/domain/tunnel/call-driver.ts";
import type { Delivery } from "../../shared/domain/tunnel/socket-gateway.ts";
import { isSecretProof } from "../../shared/tunnel/machine-secret.ts";
import { encodeMessage, errorFor, readDriverFrame, tunnelError } from "../../shared/tunnel/message-codec.ts";
import { verifyReplyTo } from "../../shared/tunnel/reply-to.ts";
import { receiveHello } from "./receive-hello.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** Repeats of one part in a window of 60 s; a driver sends a part again after 2, 4, 8 … s, until the deadline. */
const repeatsPerMinuteMax = 9;

/** `$default`: one frame of a driver. One that sends too many is told to retry later, and its socket is closed. */
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
  if (!(await countFrame(deps, websocketId))) return;
  if (frame.kind !== "message") {
    const error = errorFor(frame);
    if (error) await post(deps, websocketId, error);
  } else if (frame.message.type === "error") {
    // Not answered. The text comes from the driver and may contain anything, so it is not logged.
    deps.logger.warn("driver reported an error", { tunnel_request_id: frame.message.id });
  }
}

/** A closed socket needs no answer: its `$disconnect`, the sweeper, or the next call handles it. */
async function post(
  deps: Pick<TunnelDeps, "sockets">,
  websocketId: string,
  message: ServiceMessage,
): Promise<Delivery> {
  return await deps.sockets.post(websocketId, encodeMessage(message));
}

/** The first one of a connection is counted by what it makes of it: it connects the machine, or ends the socket. */
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

/** One write and no read: `reply_to` proves that the socket may answer this request. */
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
  const isStored = await deps.mailboxes.put({
    ...address,
    websocketId,
    requestId: id,
    part,
    parts,
    status,
    ...(part === 0 && headers && { headers: lowerCased(headers) }),
    ...(body !== undefined && { body: Buffer.from(body, "base64") }),
    uploaded: response.uploaded ?? false,
  });
  if (isStored) {
    if (isLate(id, deps.clock.now())) await noteLate(deps, websocketId);
    deps.logger.info("driver responded", { tunnel_request_id: id, driver_status: status, part, parts });
  } else if (await isOneTooMany(deps, `${websocketId}#${id}#${part}`)) {
    if (!(await countFrame(deps, websocketId))) return;
  }
  await post(deps, websocketId, { type: "received", id, part });
}

/** The channel's ids are UUIDs of version 7. */
function isLate(requestId: string, nowMs: number): boolean {
  return nowMs - timestampOfId(requestId) >= driverCallTimeoutMs;
}

/** Nobody waits for it any more, but the driver answers again. */
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

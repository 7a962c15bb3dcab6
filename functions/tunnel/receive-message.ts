import type { PingMessage, ResponseMessage, ServiceMessage } from "../../shared/contract/tunnel.ts";
import { recordPing } from "../../shared/domain/connection/record-ping.ts";
import type { Delivery } from "../../shared/domain/tunnel/socket-gateway.ts";
import { isSecretProof } from "../../shared/tunnel/machine-secret.ts";
import { encodeMessage, errorFor, readDriverFrame, tunnelError } from "../../shared/tunnel/message-codec.ts";
import { verifyReplyTo } from "../../shared/tunnel/reply-to.ts";
import type { FrameKind } from "./frame-budget.ts";
import { receiveHello } from "./receive-hello.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** `$default`: one frame of a driver. One that sends too many is told to retry later, and its socket is closed. */
export async function receiveMessage(deps: TunnelDeps, websocketId: string, text: string): Promise<void> {
  const frame = readDriverFrame(text);
  const isAnswer = frame.kind === "message" && frame.message.type === "response";
  if (!(await isAllowed(deps, websocketId, isAnswer ? "answer" : "other"))) return;
  if (frame.kind !== "message") {
    const error = errorFor(frame);
    if (error) await post(deps, websocketId, error);
    return;
  }
  const { message } = frame;
  switch (message.type) {
    case "hello":
      return await receiveHello(deps, websocketId, message);
    case "ping":
      return await receivePing(deps, websocketId, message);
    case "response":
      return await receiveResponse(deps, websocketId, message);
    case "error":
      // Not answered. The text comes from the driver and may contain anything, so it is not logged.
      deps.logger.warn("driver reported an error", { tunnel_request_id: message.id });
  }
}

async function isAllowed(deps: TunnelDeps, websocketId: string, kind: FrameKind): Promise<boolean> {
  const allowance = deps.frameBudget.take(websocketId, kind);
  if (allowance === "last") {
    deps.logger.warn("connection ended: too many frames in a minute", { frame_kind: kind });
    await deps.dismissal.dismiss(websocketId, "rate_limited");
  }
  return allowance === "allowed";
}

/** A closed socket needs no answer: its `$disconnect`, the sweeper, or the next call handles it. */
async function post(
  deps: Pick<TunnelDeps, "sockets">,
  websocketId: string,
  message: ServiceMessage,
): Promise<Delivery> {
  return await deps.sockets.post(websocketId, encodeMessage(message));
}

async function receivePing(deps: TunnelDeps, websocketId: string, ping: PingMessage): Promise<void> {
  const connection = await deps.connections.findByWebsocketId(websocketId);
  if (!connection) return await deps.sockets.disconnect(websocketId);
  if (connection.status === "pending") {
    await post(deps, websocketId, tunnelError("hello_expected", "say hello before anything else"));
    return;
  }
  const { secret_proof: proof } = ping;
  const isProved = (digest: string) => proof !== undefined && isSecretProof(digest, connection.id, proof);
  if (!(await recordPing(deps, connection, isProved))) return;
  await post(deps, websocketId, { type: "pong", at: deps.clock.now() });
}

/** One write and no read: `reply_to` proves that the socket may answer this request. */
async function receiveResponse(
  deps: TunnelDeps,
  websocketId: string,
  response: ResponseMessage,
): Promise<void> {
  const { id, part, parts, status, headers, body } = response;
  const mailbox = await verifyReplyTo(deps.signer, response.reply_to, { websocketId, requestId: id });
  if (mailbox === undefined) {
    deps.logger.warn("response refused: not the reply_to of this connection and request", {
      tunnel_request_id: id,
    });
    // A guess counts like any other frame that is no answer.
    if (!(await isAllowed(deps, websocketId, "other"))) return;
    const refusal = tunnelError(
      "reply_to_refused",
      "reply_to is not that of this connection and request",
      id,
    );
    await post(deps, websocketId, refusal);
    return;
  }
  await deps.mailboxes.put({
    mailbox,
    websocketId,
    requestId: id,
    part,
    parts,
    status,
    ...(part === 0 && headers && { headers: lowerCased(headers) }),
    ...(body !== undefined && { body: Buffer.from(body, "base64") }),
    uploaded: response.uploaded ?? false,
  });
  deps.logger.info("driver responded", { tunnel_request_id: id, driver_status: status, part, parts });
  await post(deps, websocketId, { type: "received", id, part });
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

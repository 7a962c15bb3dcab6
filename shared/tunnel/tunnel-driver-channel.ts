import type { CallMeter } from "../domain/call-meter.ts";
import type { Ids } from "../domain/clock.ts";
import type { ConnectionStore } from "../domain/connection/connection-store.ts";
import { DomainError } from "../domain/errors.ts";
import type { FileStore } from "../domain/file-store.ts";
import type { Signer } from "../domain/signer.ts";
import { driverCallTimeoutMs, unansweredCodes } from "../domain/tunnel/call-driver.ts";
import type { CallOutcome, CallRecords, DesktopCall } from "../domain/tunnel/call-records.ts";
import type {
  DriverAnswer,
  DriverChannel,
  DriverRequest,
  Requester,
} from "../domain/tunnel/driver-channel.ts";
import type { MailboxStore } from "../domain/tunnel/mailbox.ts";
import type { SocketGateway } from "../domain/tunnel/socket-gateway.ts";
import { notModified } from "../vocabulary/drivers.ts";
import type { AnswerTimes } from "./answer-times.ts";
import { DeliveryUncertain } from "./delivery-uncertain.ts";
import { LastingCall, type LastingCallDeps } from "./lasting-call.ts";
import { MailboxWatch } from "./mailbox-watch.ts";
import { presentAnswer } from "./present-answer.ts";
import { RecordedCall } from "./recorded-call.ts";
import { formatReplyTo } from "./reply-to.ts";
import { buildRequestMessages } from "./request-messages.ts";

export interface DriverChannelDeps extends LastingCallDeps {
  readonly sockets: Pick<SocketGateway, "post">;
  readonly mailboxes: Pick<MailboxStore, "poll">;
  readonly connections: Pick<ConnectionStore, "find" | "close" | "noteUnanswered" | "noteAnswered">;
  readonly callRecords: Omit<CallRecords, "arrive">;
  readonly files: Pick<
    FileStore,
    "tunnelKey" | "presignGet" | "presignPut" | "put" | "get" | "size" | "remove"
  >;
  readonly signer: Signer;
  readonly answerTimes: AnswerTimes;
  readonly calls: Pick<CallMeter, "note">;
  readonly ids: Ids;
}

/** The answer that nothing has changed comes this soon after the end of a wait. */
const watchedOnMs = 500;

/** Makes no call. One per instance is enough, because it changes its mailbox whenever nothing is expected. */
export function createDriverChannel(deps: DriverChannelDeps, requester: Requester): DriverChannel {
  return new TunnelDriverChannel(deps, requester);
}

/** Concurrent requests share the mailbox and its one poller. */
class TunnelDriverChannel implements DriverChannel {
  readonly #deps: DriverChannelDeps;
  readonly #requester: Requester;
  #watch: MailboxWatch | undefined;
  /** Requests whose post or poll failed: their silence says nothing about the driver. */
  readonly #inDoubt = new WeakSet<DriverRequest>();

  constructor(deps: DriverChannelDeps, requester: Requester) {
    this.#deps = deps;
    this.#requester = requester;
  }

  /** @throws {DomainError} `payload_too_large`, or `service_unavailable` when the gateway throttles. */
  async request(request: DriverRequest): Promise<DriverAnswer> {
    const { calls, clock, ids } = this.#deps;
    const id = ids.uuid7();
    const askedMs = clock.now();
    const log = (outcome: Readonly<Record<string, unknown>>, level: "debug" | "info" = "info") => {
      const desktopMs = clock.now() - askedMs;
      calls.note("desktop", desktopMs);
      this.#requester.logger[level]("driver requested", {
        tunnel_request_id: id,
        action_id: request.actionId,
        repeat: request.repeat,
        machine_id: request.machineId,
        websocket_id: request.connection.websocketId,
        path: request.path,
        ...outcome,
        desktop_ms: desktopMs,
      });
    };
    try {
      const answer = await this.#askOnRecord(request, id);
      await this.#noteHearing(request, answer, askedMs);
      const isUsual = answer.kind === "answered" && answer.status < 500;
      const outcome = { outcome: answer.kind, ...("status" in answer && { driver_status: answer.status }) };
      log(outcome, isUsual ? "debug" : "info");
      return answer;
    } catch (error) {
      log({ outcome: "failed" });
      throw error;
    }
  }

  async #askOnRecord(request: DriverRequest, id: string): Promise<DriverAnswer> {
    const { organizationId, machineId, connection, method, path, body } = request;
    const { actor, requestId: callerRequestId } = this.#requester;
    const names = { organizationId, machineId, connectionId: connection.id, requestId: id, callerRequestId };
    const takenAtMs = this.#deps.clock.now();
    const requestBytes = body?.byteLength ?? 0;
    const call: DesktopCall = { ...names, actor, method, path, requestBytes, takenAtMs };
    const record = new RecordedCall(this.#deps.callRecords, call, this.#requester.logger);
    if (isCall(request)) await record.begin({ isLarge: request.largeResponse });
    const lasting = new LastingCall(this.#deps, call, this.#requester.logger);
    const onLasting = () => {
      record.open();
      lasting.begin(() => this.#watch?.hasten(id, this.#deps.clock.now()));
    };
    const settle = async (outcome: Omit<CallOutcome, "durationMs">) => {
      const durationMs = this.#deps.clock.now() - takenAtMs;
      await this.#background(async () => await record.end({ ...outcome, durationMs }));
    };
    try {
      const sent = { facts: record.facts, onLasting };
      const { answer, isSettled } = await this.#ask(request, call, sent);
      if (answer.kind === "withheld") {
        await this.#background(async () => await record.withdraw());
        return answer;
      }
      const isOnRecord = isCall(request) ? (await record.isThere()) && isSettled : isUnchanged(answer);
      if (!isOnRecord) await settle(outcomeOf(answer));
      return answer;
    } catch (error) {
      await settle({ outcome: error instanceof DomainError ? error.code : "internal_error", bytes: 0 });
      throw error;
    } finally {
      await lasting.end(this.#background);
    }
  }

  readonly #background = async (work: () => Promise<void>): Promise<void> => {
    const { waitUntil } = this.#requester;
    await (waitUntil ? waitUntil(work) : work());
  };

  /** A shorter time than usual says nothing about a driver. A failed write must not hide the answer. */
  async #noteHearing(request: DriverRequest, answer: DriverAnswer, askedMs: number): Promise<void> {
    const { organizationId, machineId, connection } = request;
    const name = { organizationId, machineId, id: connection.id };
    try {
      const nowMs = this.#deps.clock.now();
      const isSilent = answer.kind === "timeout" && nowMs - askedMs >= driverCallTimeoutMs && !waits(request);
      if (isSilent && !this.#inDoubt.has(request)) {
        await this.#deps.connections.noteUnanswered(name, nowMs);
      } else if ("status" in answer && connection.unanswered !== undefined) {
        await this.#deps.connections.noteAnswered(name);
      }
    } catch (cause) {
      this.#requester.logger.warn("whether the driver answers is not on record", { cause });
    }
  }

  async #ask(
    request: DriverRequest,
    call: DesktopCall,
    { facts, onLasting }: { readonly facts: string | undefined; readonly onLasting: () => void },
  ): Promise<{ readonly answer: DriverAnswer; readonly isSettled: boolean }> {
    const { clock, signer, files } = this.#deps;
    const watch = this.#currentWatch();
    const { organizationId, connection } = request;
    const sender = { websocketId: connection.websocketId, requestId: call.requestId };
    const deadlineMs = clock.now() + Math.min(request.timeoutMs, driverCallTimeoutMs);
    const uploadKey = request.answerKey ?? files.tunnelKey(organizationId, call.requestId);
    const replyTo = await formatReplyTo(signer, {
      ...sender,
      mailbox: watch.mailbox,
      organizationId,
      callOf: isCall(request) ? connection.id : undefined,
      facts,
      isLarge: request.largeResponse,
      isUnacknowledged: request.isUnacknowledged ?? false,
    });
    const envelope = { id: call.requestId, replyTo, deadlineMs, uploadKey, trace: call.callerRequestId };
    const messages = await buildRequestMessages(this.#deps, request, envelope);

    const unsettled = (answer: DriverAnswer) => ({ answer, isSettled: false });
    if ((await request.allowed) === false) return unsettled({ kind: "withheld" });
    const delivery = await this.#deliver(connection.websocketId, messages);
    if (delivery !== "delivered") this.#inDoubt.add(request);
    if (delivery === "gone" || delivery === "gone_in_doubt") await this.#close(request);
    if (delivery === "gone") return unsettled({ kind: "not_delivered" });
    const isLive = async () => await this.#isLive(request);
    const kinds = [`${request.machineId} ${request.path}`, request.path];
    const likelyMs = waits(request) ? undefined : this.#deps.answerTimes.expect(kinds);
    const watchedUntilMs = waits(request) ? clock.now() + (request.waitMs ?? 0) + watchedOnMs : 0;
    const outcome = await watch.wait({
      ...sender,
      call: isCall(request) && !request.largeResponse ? call : undefined,
      deadlineMs,
      isLive,
      likelyMs,
      watchedUntilMs,
      onLasting: isCall(request) ? onLasting : () => {},
    });
    if (outcome.kind === "timeout") {
      if (outcome.isBlind) this.#inDoubt.add(request);
      return unsettled({ kind: "timeout" });
    }
    if (outcome.kind !== "whole") return unsettled(outcome);
    if (!waits(request)) this.#deps.answerTimes.note(kinds, outcome.withinMs);
    const uploads = { files, logger: this.#requester.logger, background: this.#background };
    const answer = await presentAnswer(uploads, request, outcome.answer, uploadKey);
    return { answer, isSettled: outcome.isEnded };
  }

  #currentWatch(): MailboxWatch {
    if (!this.#watch || this.#watch.isSpent) {
      const { ids, clock } = this.#deps;
      this.#watch = new MailboxWatch(ids.uuid7(), this.#deps, clock);
    }
    return this.#watch;
  }

  /** The order of the parts does not matter; if the socket is gone for one of them, the request is incomplete. */
  async #deliver(
    websocketId: string,
    messages: readonly string[],
  ): Promise<"delivered" | "in_doubt" | "gone" | "gone_in_doubt"> {
    const posts = await Promise.allSettled(
      messages.map((message) => this.#deps.sockets.post(websocketId, message)),
    );
    const deliveries = posts.filter((post) => post.status === "fulfilled").map((post) => post.value);
    if (deliveries.some((delivery) => delivery.kind === "gone")) return "gone";
    const tooLarge = deliveries.find((delivery) => delivery.kind === "too_large");
    if (tooLarge) {
      throw new DomainError("payload_too_large", `the tunnel took no message of ${tooLarge.bytes} bytes`);
    }
    const failures = posts.filter((post) => post.status === "rejected").map((post): unknown => post.reason);
    const inDoubt = failures.filter((reason) => reason instanceof DeliveryUncertain);
    // The driver may have received an uncertain part and be working; its answer then arrives.
    if (inDoubt.length < failures.length)
      throw failures.find((reason) => !(reason instanceof DeliveryUncertain));
    if (inDoubt.some((reason) => reason.isSocketGone)) return "gone_in_doubt";
    return inDoubt.length > 0 ? "in_doubt" : "delivered";
  }

  async #isLive(request: DriverRequest): Promise<boolean> {
    const found = await this.#deps.connections.find(request.organizationId, request.connection.id);
    return found !== undefined && found.status !== "disconnected";
  }

  async #close(request: DriverRequest): Promise<void> {
    const { connections, clock } = this.#deps;
    const connection = await connections.find(request.organizationId, request.connection.id);
    if (connection) await connections.close(connection, clock.now());
  }
}

function outcomeOf(
  answer: Exclude<DriverAnswer, { readonly kind: "withheld" }>,
): Omit<CallOutcome, "durationMs"> {
  switch (answer.kind) {
    case "answered":
      return { outcome: answer.status, bytes: answer.body.byteLength };
    case "stored":
      return { outcome: answer.status, bytes: answer.sizeBytes };
    default:
      return { outcome: unansweredCodes[answer.kind], bytes: 0 };
  }
}

/**
 * Shutdowns, answers from memory and requests that wait are no calls, because drivers never refuse them: they take no place
 * of a connection's calls, and leave a record at their end.
 */
function isCall(request: DriverRequest): boolean {
  return !request.isUrgent && !request.repeat && !waits(request);
}

function waits({ waitMs = 0 }: Pick<DriverRequest, "waitMs">): boolean {
  return waitMs > 0;
}

/** The request log has no line of a look that saw nothing new. */
function isUnchanged(answer: DriverAnswer): boolean {
  return "status" in answer && answer.status === notModified;
}

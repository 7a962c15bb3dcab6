import { createTunnelHandler } from "../../../functions/tunnel/app.ts";
import type { TunnelEvent } from "../../../functions/tunnel/tunnel-event.ts";
import { TunnelHeader } from "../../../shared/contract/tunnel.ts";
import type { Logger } from "../../../shared/domain/logger.ts";
import { AnswerTimes } from "../../../shared/tunnel/answer-times.ts";
import { GatewayDismissal } from "../../../shared/tunnel/gateway-dismissal.ts";
import { createDriverChannel } from "../../../shared/tunnel/tunnel-driver-channel.ts";
import { aMachine, anActor, anApiKey } from "../../support/builders/entities.ts";
import { storesOnModel } from "../../support/stores/model-stores.ts";
import { bodyText, bytesOf, fixed, type Opening, wait } from "./exchange.ts";

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** Signs with its purpose alone, so that a fixture needs no secret. */
const signer = {
  sign: async (purpose: string, data: string) => {
    const sum = [...data].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) >>> 0, 7);
    return `fixture.${purpose}.${sum.toString(36)}`;
  },
  verify: async (purpose: string, data: string, mac: string) => mac === (await signer.sign(purpose, data)),
};

export async function startServiceEnd(opening: Opening, emit: (text: string) => void) {
  const clock = { now: () => fixed.nowMs, sleep: async () => await wait(1) };
  const { stores } = storesOnModel(clock);
  const { organizationId, websocketId, machineId } = fixed;
  const sockets = {
    post: async (_websocketId: string, text: string) => {
      emit(text);
      return { kind: "delivered" as const };
    },
    exists: async () => true,
    disconnect: async () => {},
  };
  const key = anApiKey({ id: "fixture", organizationId, scopes: ["driver"] });
  await stores.apiKeys.create(key);
  await stores.machines.create(aMachine({ id: fixed.keptAliveId, organizationId }));
  const handler = createTunnelHandler({
    ...stores,
    keys: stores.apiKeys,
    keyVerifier: { verify: async () => key },
    keyConnectionsMax: 10,
    pingSeconds: 300,
    sockets,
    dismissal: new GatewayDismissal(sockets),
    signer,
    clock,
    ids: { uuid7: () => machineId },
    logger: silent,
    newMachineSecret: () => "A".repeat(43),
    region: "us-east-1",
    transferHost: fixed.bucketHost,
  });
  const say = async (eventType: TunnelEvent["requestContext"]["eventType"], rest: object) =>
    await handler({ requestContext: { ...requestContext, eventType }, ...rest });
  const { statusCode } = await say("CONNECT", {
    headers: opening.handshake ?? {
      [TunnelHeader.authorization]: fixed.authorization,
      [TunnelHeader.fingerprint]: fixed.fingerprint,
    },
  });
  if (statusCode !== 200) throw new Error(`the handshake was answered ${statusCode}`);
  let answered: object | undefined;

  async function ask(asked: NonNullable<Opening["asked"]>): Promise<void> {
    const { body, bytes, ...request } = asked;
    const hasBody = body !== undefined || bytes !== undefined;
    const channel = createDriverChannel(
      {
        sockets,
        mailboxes: stores.mailboxes,
        callRecords: stores.callRecords,
        slots: stores.slots,
        callsUnderWay: stores.callsUnderWay,
        answerTimes: new AnswerTimes(),
        calls: stores.calls,
        connections: stores.connections,
        files: {
          ...bucket,
          get: async () => undefined,
          size: async () => bytesOf(opening.desktop ?? {}).byteLength,
        },
        signer,
        clock,
        ids: { uuid7: () => fixed.requestId },
      },
      { requestId: "trace-fixture", logger: silent, actor: anActor(key.id) },
    );
    const answer = await channel.request({
      ...request,
      ...(hasBody && { body: bytesOf(asked) }),
      organizationId,
      machineId,
      connection: { id: machineId, websocketId, host: "a1b2c3/live/us-east-1" },
      actionId: fixed.actionId,
      isUrgent: false,
      timeoutMs: 25_000,
    });
    answered = "body" in answer ? { ...answer, ...bodyText(answer.body) } : answer;
    if ("body" in answer && answer.body.byteLength > 1_000) answered = { ...answered, body: undefined };
  }

  return {
    receive: async (text: string) => void (await say("MESSAGE", { body: text })),
    ask,
    dismiss: async (reason: NonNullable<Opening["dismissed"]>) =>
      await new GatewayDismissal(sockets).dismiss(
        websocketId,
        reason,
        reason === "moved" ? fixed.movedTo : undefined,
      ),
    outcome: () => (answered === undefined ? {} : { answered }),
    isAnswered: () => answered !== undefined,
  };
}

const requestContext = {
  connectionId: fixed.websocketId,
  apiId: "a1b2c3",
  stage: "live",
  requestId: "request-fixture",
  identity: { sourceIp: "192.0.2.7", userAgent: "driver/1.0" },
};

const presigned = (key: string, expiresInSeconds: number) => ({
  url: `${fixed.bucket}${key}`,
  headers: { "x-fixture": "as-given" },
  expiresInSeconds,
});

const bucket = {
  tunnelKey: (organizationId: string, id: string) => `tunnel/${organizationId}/${id}`,
  presignGet: async (key: string, { expiresInSeconds = 0 }) => presigned(key, expiresInSeconds),
  presignPut: async (key: string, { expiresInSeconds = 0 }) => presigned(key, expiresInSeconds),
  put: async () => {},
  remove: async () => {},
};

export const helloFrame = JSON.stringify({ type: "hello", protocol: 1, capabilities: [] });

import { randomUUID } from "node:crypto";
import { createTunnelHandler } from "../../../functions/tunnel/app.ts";
import type { TunnelEvent, TunnelResult } from "../../../functions/tunnel/tunnel-event.ts";
import type { ResponseMessage, ServiceMessage } from "../../../shared/contract/tunnel.ts";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { createLiveTicket } from "../../../shared/domain/live/live-ticket.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { DriverChannel, DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import { AnswerTimes } from "../../../shared/tunnel/answer-times.ts";
import { GatewayDismissal } from "../../../shared/tunnel/gateway-dismissal.ts";
import { mintLiveTicket } from "../../../shared/tunnel/live-ticket-text.ts";
import { newMachineSecret } from "../../../shared/tunnel/machine-secret.ts";
import { createDriverChannel } from "../../../shared/tunnel/tunnel-driver-channel.ts";
import type { Scope } from "../../../shared/vocabulary/access.ts";
import { anActor, anApiKey } from "../builders/entities.ts";
import { createModelStores } from "../stores/model-stores.ts";
import { FakeSockets } from "./fake-sockets.ts";
import { RecordingLogger } from "./recording-logger.ts";

export type RequestMessage = Extract<ServiceMessage, { readonly type: "request" }>;

interface Handshake {
  readonly key: { readonly bearer: string; readonly organizationId: OrganizationId };
  /** @default a new one */
  readonly fingerprint?: string;
}

export function tunnelWorld({ pingSeconds = 300 } = {}) {
  const stores = createModelStores();
  const sockets = new FakeSockets();
  const logger = new RecordingLogger();
  const keysByText = new Map<string, ApiKey>();
  const dismissal = new GatewayDismissal(sockets);
  const keyVerifier = {
    verify: async (text: string) => {
      const known = keysByText.get(text);
      const key = known && (await stores.apiKeys.find(known.id));
      return key?.revokedAt === null ? key : undefined;
    },
  };
  const deps = {
    ...stores,
    keyVerifier,
    keys: stores.apiKeys,
    sockets,
    answerTimes: new AnswerTimes(),
    dismissal,
    keyConnectionsMax: 70,
    pingSeconds,
    logger,
    newMachineSecret,
    region: "us-east-1",
    transferHost: "files.example",
  };
  const newInstance = () => {
    const { model, clock } = stores;
    const { connections, mailboxes, rateLimiter } = createModelStores({ model, clock });
    return createTunnelHandler({ ...deps, connections, mailboxes, rateLimiter });
  };
  const handler = createTunnelHandler(deps);

  const world = {
    ...deps,
    handler,
    channel: createDriverChannel(deps, { requestId: "asked", logger, actor: anActor("the caller") }),

    /** Asks for a ticket in the name of a key or a session. */
    async liveTicket(caller: Caller): Promise<string> {
      return (await createLiveTicket({ ...stores, mintLiveTicket }, caller)).text;
    },

    /** `$connect` of a browser. */
    async connectViewer(ticket: string, headers: Readonly<Record<string, string>> = {}) {
      const websocketId = `${randomUUID().slice(0, 12)}=`;
      const queryStringParameters = { ticket };
      const result = await handler(event("CONNECT", websocketId, { headers, queryStringParameters }));
      if (result.statusCode === 200) sockets.open(websocketId);
      return { ...result, websocketId };
    },

    async viewer(caller: Caller, ...topics: readonly string[]) {
      const { statusCode, websocketId } = await world.connectViewer(await world.liveTicket(caller));
      if (statusCode !== 200) throw new Error(`the handshake was answered ${statusCode}`);
      if (topics.length > 0) await world.send(websocketId, { type: "watch", topics });
      return { websocketId, read: () => sockets.liveMessages(websocketId) };
    },

    async key(scopes: readonly Scope[] = ["driver"], fields: Partial<ApiKey> = {}) {
      const key = anApiKey({ scopes, ...fields });
      const text = `das_${key.id}_secret`;
      keysByText.set(text, key);
      const record = { idempotency: undefined, result: null };
      await (key.expiresAt === null ? stores.apiKeys.create(key) : stores.apiKeys.createOwn(key, record));
      return { ...key, text, bearer: `Bearer ${text}` };
    },

    /** `$connect`: the socket is open only when the handshake was accepted. */
    async connect(
      headers: Readonly<Record<string, string | undefined>>,
      websocketId = `${randomUUID().slice(0, 12)}=`,
      sourceIp = "192.0.2.7",
    ): Promise<TunnelResult & { readonly websocketId: string }> {
      const result = await handler(event("CONNECT", websocketId, { headers }, sourceIp));
      if (result.statusCode === 200) sockets.open(websocketId);
      return { ...result, websocketId };
    },

    /** `$default`. */
    async send(websocketId: string, message: unknown): Promise<void> {
      const body = typeof message === "string" ? message : JSON.stringify(message);
      await handler(event("MESSAGE", websocketId, { body }));
    },

    instance(): (websocketId: string, message: unknown) => Promise<void> {
      const handle = newInstance();
      return async (websocketId, message) =>
        void (await handle(event("MESSAGE", websocketId, { body: JSON.stringify(message) })));
    },

    async sendAtOnce(websocketId: string, messages: readonly unknown[]): Promise<void> {
      const bodies = messages.map((message) => JSON.stringify(message));
      await Promise.all(bodies.map((body) => newInstance()(event("MESSAGE", websocketId, { body }))));
    },

    /** `$disconnect`, late or not. */
    async disconnected(websocketId: string): Promise<void> {
      sockets.vanish(websocketId);
      await handler(event("DISCONNECT", websocketId, {}));
    },

    /** Connects a driver that says nothing after its handshake. */
    async silent({ key, fingerprint = randomUUID() }: Handshake) {
      const headers = { Authorization: key.bearer, "X-Machine-Fingerprint": fingerprint };
      const { statusCode, websocketId } = await world.connect(headers);
      if (statusCode !== 200) throw new Error(`the handshake was answered ${statusCode}`);
      return { websocketId, fingerprint, organizationId: key.organizationId };
    },

    async driver({
      hello: fields,
      ...handshake
    }: Handshake & { readonly hello?: Parameters<typeof hello>[0] }) {
      const driver = await world.silent(handshake);
      await world.send(driver.websocketId, hello(fields));
      return driver;
    },

    async machineOf(driver: {
      readonly organizationId: OrganizationId;
      readonly fingerprint: string;
    }): Promise<Machine> {
      const machine = await stores.machines.findByFingerprint(driver.organizationId, driver.fingerprint);
      if (!machine) throw new Error("there is no such machine");
      return machine;
    },

    async ask(machine: Machine, fields: Partial<DriverRequest> = {}, channel?: DriverChannel) {
      if (!machine.connection) throw new Error("the machine is not connected");
      return await (channel ?? world.channel).request({
        organizationId: machine.organizationId,
        machineId: machine.id,
        connection: machine.connection,
        method: "GET",
        path: "/computer/display/dimensions",
        query: "",
        headers: {},
        largeResponse: false,
        actionId: randomUUID(),
        isUrgent: false,
        repeat: false,
        timeoutMs: 25_000,
        ...fields,
      });
    },

    script(websocketId: string, answer: (request: RequestMessage) => void | Promise<void>): void {
      sockets.listen(websocketId, async (message) => {
        if (message.type === "request") await answer(message);
      });
    },
  };
  return world;
}

export function hello(fields: Readonly<Record<string, unknown>> = {}) {
  return { type: "hello", protocol: 1, capabilities: [], ...fields };
}

/** The answer to a request, in one part, unless the fields say otherwise. */
export function responseTo(
  request: Pick<RequestMessage, "id" | "reply_to">,
  fields: Partial<ResponseMessage> = {},
): ResponseMessage {
  return {
    type: "response",
    id: request.id,
    reply_to: request.reply_to,
    status: 200,
    headers: { "Content-Type": "application/json" },
    part: 0,
    parts: 1,
    body: base64("{}"),
    ...fields,
  };
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function event(
  eventType: TunnelEvent["requestContext"]["eventType"],
  connectionId: string,
  rest: Pick<TunnelEvent, "headers" | "body" | "queryStringParameters">,
  sourceIp = "192.0.2.7",
): TunnelEvent {
  return {
    ...rest,
    requestContext: {
      eventType,
      connectionId,
      apiId: "a1b2c3",
      stage: "live",
      requestId: randomUUID(),
      identity: { sourceIp, userAgent: "driver/1.0" },
    },
  };
}

import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import { isAway } from "../aws/aws-failure.ts";
import { bounded } from "../aws/bounded.ts";
import { clientSettings } from "../aws/client-settings.ts";
import { metered } from "../aws/metered.ts";
import type { Clock } from "../domain/clock.ts";
import { DomainError } from "../domain/errors.ts";
import type { Delivery, SocketGateway } from "../domain/tunnel/socket-gateway.ts";
import { DeliveryUncertain } from "./delivery-uncertain.ts";

const retryPausesMs = [100, 200] as const;
/** Frames that were on their way when their socket was disconnected would each disconnect it again. */
const disconnectsEveryMs = 1_000;
/** Entries; they are cleared when full, which costs a call for each socket. */
const disconnectedMax = 1_000;
/** A tunnelled call has 25 s in all; a post normally takes some milliseconds. */
const requestTimeoutMs = 3_000;

export interface ApiGatewaySocketGatewayDeps {
  /** The stage's own address, `https://{api}.execute-api.{region}.{suffix}/{stage}`, never a custom domain. */
  readonly callbackUrl: string;
  /** @default the function's */
  readonly region?: string;
  readonly clock: Clock;
}

export function createApiGatewaySocketGateway(deps: ApiGatewaySocketGatewayDeps): SocketGateway {
  const client = metered(
    "apigateway",
    bounded(
      new ApiGatewayManagementApiClient({
        ...clientSettings,
        endpoint: deps.callbackUrl,
        ...(deps.region === undefined ? {} : { region: deps.region }),
        // This class retries, because it distinguishes a post that may have been delivered from one that was not.
        maxAttempts: 1,
        requestHandler: { ...clientSettings.requestHandler, requestTimeout: requestTimeoutMs },
      }),
    ),
  );
  // The calls are separate, because the client's overloads accept no union.
  const send: Send = (command) => {
    if (command instanceof PostToConnectionCommand) return client.send(command);
    return command instanceof GetConnectionCommand ? client.send(command) : client.send(command);
  };
  return new ApiGatewaySocketGateway(send, deps.clock);
}

type Send = (
  command: PostToConnectionCommand | GetConnectionCommand | DeleteConnectionCommand,
) => Promise<unknown>;

export class ApiGatewaySocketGateway implements SocketGateway {
  readonly #send: Send;
  readonly #clock: Clock;
  /** Times at which this instance last disconnected a socket. */
  readonly #disconnectedAtMs = new Map<string, number>();

  constructor(send: Send, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /**
   * @throws {DeliveryUncertain} when the driver may have received the message.
   * @throws {DomainError} `service_unavailable` when the gateway throttles; the driver did not receive it.
   */
  async post(websocketId: string, message: string): Promise<Delivery> {
    const command = new PostToConnectionCommand({ ConnectionId: websocketId, Data: Buffer.from(message) });
    let uncertain: unknown;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#send(command);
        return { kind: "delivered" };
      } catch (error) {
        const status = responseStatus(error);
        if (status === 410 && uncertain === undefined) return { kind: "gone" };
        if (status === 410) throw new DeliveryUncertain(true, { cause: uncertain });
        if (status === 413) return { kind: "too_large", bytes: Buffer.byteLength(message) };
        const isRefusal = status !== undefined && status >= 400 && status < 500;
        if (!isRefusal) uncertain = error;
        const pauseMs = retryPausesMs[attempt];
        if (pauseMs === undefined) throw gatewayError(error, uncertain);
        await this.#clock.sleep(pauseMs);
      }
    }
  }

  async exists(websocketId: string): Promise<boolean> {
    return await this.#isThere(new GetConnectionCommand({ ConnectionId: websocketId }));
  }

  async disconnect(websocketId: string): Promise<void> {
    const nowMs = this.#clock.now();
    const before = this.#disconnectedAtMs.get(websocketId);
    if (before !== undefined && nowMs - before < disconnectsEveryMs) return;
    await this.#isThere(new DeleteConnectionCommand({ ConnectionId: websocketId }));
    if (this.#disconnectedAtMs.size >= disconnectedMax) this.#disconnectedAtMs.clear();
    this.#disconnectedAtMs.set(websocketId, nowMs);
  }

  async #isThere(command: GetConnectionCommand | DeleteConnectionCommand): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#send(command);
        return true;
      } catch (error) {
        if (responseStatus(error) === 410) return false;
        const pauseMs = retryPausesMs[attempt];
        if (pauseMs === undefined) throw isAway(error) ? unavailable(error) : gatewayError(error, undefined);
        await this.#clock.sleep(pauseMs);
      }
    }
  }
}

function gatewayError(error: unknown, uncertain: unknown): unknown {
  if (uncertain !== undefined) return new DeliveryUncertain(false, { cause: uncertain });
  if (responseStatus(error) !== 429) return error;
  return new DomainError("service_unavailable", "the tunnel is overloaded; nothing was done", {
    retryAfterSeconds: 1,
    cause: error,
  });
}

function unavailable(cause: unknown): DomainError {
  const message = "the tunnel's gateway does not respond; try again";
  return new DomainError("service_unavailable", message, { retryAfterSeconds: 1, cause });
}

function responseStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "GoneException") return 410;
  if (error.name === "PayloadTooLargeException") return 413;
  if (error.name === "LimitExceededException") return 429;
  const metadata: unknown = "$metadata" in error ? error.$metadata : undefined;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
}

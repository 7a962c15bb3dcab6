import { LimitExceededException as ThrottledPost } from "@aws-sdk/client-apigatewaymanagementapi";
import { LimitExceededException as TooManySecrets } from "@aws-sdk/client-secrets-manager";
import { DomainError } from "../../../shared/domain/errors.ts";
import { logStep } from "../../../shared/domain/execution/engine/step-line.ts";
import { StepTimes } from "../../../shared/domain/execution/step/step-times.ts";
import type { LogFields, Logger } from "../../../shared/domain/logger.ts";
import { judgeFleet } from "../../../shared/domain/maintenance/judge-fleet.ts";
import type { ModelReply } from "../../../shared/domain/model/language-models.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { createHttpApp } from "../../../shared/http/create-http-app.ts";
import { createJsonLogger } from "../../../shared/log/json-logger.ts";
import { SecretsManagerSecretStore } from "../../../shared/secrets/secrets-manager-secret-store.ts";
import { ApiGatewaySocketGateway } from "../../../shared/tunnel/api-gateway-socket-gateway.ts";
import type { CoveredProvider } from "../../../shared/vocabulary/providers.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

const uuid = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";

const faults = {
  ok: async () => {},
  slow: async ({ clock }) => clock.advance(3_000),
  refused: async () => {
    throw new DomainError("not_found", "no such machine");
  },
  bug: async () => {
    throw new TypeError("cannot read properties of undefined");
  },
  tableAway: async () => {
    throw new DomainError("service_unavailable", "the table is away", { cause: new Error("timeout") });
  },
  driverTimeout: async () => {
    throw new DomainError("driver_timeout", "the desktop did not respond");
  },
  secretsFull: async () => {
    const send = async () => {
      throw new TooManySecrets({ message: "500,000 secrets", $metadata: {} });
    };
    const store = new SecretsManagerSecretStore({
      client: { send },
      deployment: "blue",
      tableId: async () => undefined,
    });
    const owner = { kind: "machine", id: uuid } as const;
    await store.create(store.secretName(organizationIdOf("acme"), owner, uuid), { password: "p" });
  },
  throttledPost: async ({ clock }) => {
    const send = async () => {
      throw new ThrottledPost({ message: "slow down", $metadata: {} });
    };
    await new ApiGatewaySocketGateway(send, clock).post("w=", "{}");
  },
} satisfies Readonly<Record<string, (stores: ReturnType<typeof createModelStores>) => Promise<void>>>;

/** Lines that the product's own code writes when this happens. */
export function productLines(deployment: string) {
  const capture = async (
    write: (logger: Logger, stores: ReturnType<typeof createModelStores>) => unknown,
  ) => {
    const lines: string[] = [];
    const stores = createModelStores();
    const { clock } = stores;
    const logger = createJsonLogger({ level: "info", deployment, clock, write: (line) => lines.push(line) });
    await write(logger, stores);
    return lines;
  };
  return {
    /** A request to a route whose work ends so. */
    request: async (fault: keyof typeof faults) =>
      await capture(async (logger, stores) => {
        const app = createHttpApp({ ...stores, logger, calls: { take: () => ({}) } });
        app.get("/v1/machines", async (c) => {
          await faults[fault](stores);
          return c.body(null, 204);
        });
        await app.request("/v1/machines");
      }),
    /** A step of the executor that asked a model. */
    modelStep: async (provider: CoveredProvider, reply: ModelReply) =>
      await capture(async (logger, { clock }) => {
        const times = new StepTimes(clock);
        await times.ofModel({ provider, model: "one" }, async () => reply);
        const job = { organizationId: organizationIdOf("acme"), runId: uuid, assignmentId: uuid, part: 1 };
        const cursor = { index: 1, phase: "ask", awayMs: 0 };
        logStep({ deps: { logger }, job, times } as never, cursor as never, { kind: "finished" } as never);
      }),
    /** The sweeper's second minute that judges the fleet, which was the first one before. */
    fleetFall: async (
      before: Readonly<Record<string, number>>,
      now: Readonly<Record<string, number>>,
      minutes: number,
    ) =>
      await capture(async (logger, stores) => {
        let machines = before;
        const fleet = { countByOrganization: async () => new Map(Object.entries(machines)) };
        await judgeFleet({ ...stores, fleet });
        stores.clock.advance(minutes * 60_000);
        machines = now;
        logger.info("swept", await judgeFleet({ ...stores, fleet }));
      }),
    line: async (message: string, fields: LogFields) =>
      await capture((logger) => logger.info(message, fields)),
  };
}

import { randomUUID } from "node:crypto";
import { createApiClient } from "../../shared/client/api-client.ts";
import { checkDashboardToken, checkHealth, checkPageMayCall } from "./check-service.ts";
import { Cleanup } from "./cleanup.ts";
import { connectDesktop, findInList, makeKey, type SmokeDesktop, scroll } from "./connect-desktop.ts";
import { receiveWebhook } from "./receive-webhook.ts";
import { keepSecret, replayRun } from "./replay-run.ts";
import type { Smoke, SmokeOptions } from "./smoke.ts";
import { failureOf, type SmokeFailure } from "./smoke-failure.ts";
import { downloadFile, uploadFile } from "./transfer-file.ts";

export interface Row {
  readonly step: string;
  readonly outcome: "ok" | "not tried" | "failed";
  readonly ms: number;
  readonly note: string;
}

export interface SmokeResult {
  readonly rows: readonly Row[];
  /** The first step's that failed; those after it are not tried. */
  readonly failure: SmokeFailure | undefined;
}

type Step = <Value>(
  name: string,
  part: string,
  act: () => Promise<Value>,
  noteOf?: (value: Value) => string,
) => Promise<Value>;

export async function runSmoke(options: SmokeOptions, report: (row: Row) => void): Promise<SmokeResult> {
  const { url, adminKey, timeoutMs, signal } = options;
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    report(row);
  };
  const step: Step = async (name, part, act, noteOf = () => "") => {
    const startedAt = performance.now();
    const ms = () => Math.round(performance.now() - startedAt);
    try {
      const value = await act();
      add({ step: name, outcome: "ok", ms: ms(), note: noteOf(value) });
      return value;
    } catch (error) {
      const failed = failureOf(error, part);
      add({ step: name, outcome: "failed", ms: ms(), note: `${failed.part}: ${failed.message}` });
      throw failed;
    }
  };
  const clientOf = (credentials: string) =>
    createApiClient({ baseUrl: url, credentials, attemptMs: timeoutMs, totalMs: timeoutMs });
  const smoke: Smoke = {
    ...options,
    name: `smoke-${randomUUID().slice(0, 8)}`,
    admin: clientOf(adminKey),
    cleanup: new Cleanup(),
    clientOf,
  };
  const untilAborted: Step = async (...step_) => {
    signal.throwIfAborted();
    return await step(...step_);
  };
  const failures: SmokeFailure[] = [];
  const noted = (error: unknown) => void failures.push(failureOf(error, "smoke"));
  await trySteps(smoke, untilAborted, (name, note) =>
    add({ step: name, outcome: "not tried", ms: 0, note }),
  ).catch(noted);
  await step(
    "removal",
    "what is left",
    () => smoke.cleanup.run(),
    (count) => `${count} things of ${smoke.name}`,
  ).catch(noted);
  return { rows, failure: failures[0] };
}

async function trySteps(smoke: Smoke, step: Step, skip: (name: string, note: string) => void): Promise<void> {
  const { dashboardToken, origin, admin } = smoke;
  const same = (note: string): string => note;
  await step("health", "health", () => checkHealth(smoke), same);
  await step("database", "table", () => admin.call("getDatabaseHealth"));
  if (dashboardToken === undefined) skip("dashboard token", "no --dashboard-token-file");
  else {
    const part = "the token's issuer: jwtIssuer, jwtAudience, jwtJwksUrl";
    await step("dashboard token", part, () => checkDashboardToken(smoke, dashboardToken), same);
  }
  const key = await step("key", "api-keys", () => makeKey(smoke));
  const desktop = await step("desktop", "driver, machines", () => connectDesktop(smoke, key), machineIdOf);
  await step("list", "table's indexes", () => findInList(smoke, desktop));
  await step("scroll", "computer: its grant to post to connections", () => scroll(smoke, desktop));
  const file = await step("upload", "computer, bucket", () => uploadFile(smoke, desktop));
  await step("download", "computer, bucket", () => downloadFile(smoke, desktop, file));
  if (origin === undefined) skip("page", "no --origin");
  else await step("page", "HTTP API's CORS", () => checkPageMayCall(smoke, origin));
  const pin = await step("secret", "machines, secrets", () => keepSecret(smoke, desktop));
  await step("webhook", "webhooks", () => receiveWebhook(smoke, desktop), same);
  await step("run", "runs, trajectories, workflows", () => replayRun(smoke, desktop, pin), same);
}

function machineIdOf({ machineId }: SmokeDesktop): string {
  return `machine ${machineId}`;
}

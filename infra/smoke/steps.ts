import { checkDashboardToken, checkHealth, checkPageMayCall } from "./check-service.ts";
import { connectDesktop, findInList, makeKey, type SmokeDesktop, scroll } from "./connect-desktop.ts";
import { receiveWebhook } from "./receive-webhook.ts";
import { keepSecret, replayRun, type Typing } from "./replay-run.ts";
import type { Smoke } from "./smoke.ts";
import { downloadFile, uploadFile } from "./transfer-file.ts";

/** @param part is what to look at when the step fails without a diagnosis of its own. */
export type Step = <Value>(
  name: string,
  part: string,
  act: () => Promise<Value>,
  noteOf?: (value: Value) => string,
) => Promise<Value>;

/** @throws {SmokeFailure} of the first step that failed. */
export type TrySteps = (
  smoke: Smoke,
  step: Step,
  skip: (name: string, note: string) => void,
) => Promise<void>;

export const everything: TrySteps = async (smoke, step, skip) => {
  const { dashboardToken, origin, admin } = smoke;
  await step("health", "health", () => checkHealth(smoke), same);
  await step("database", "table", () => admin.call("getDatabaseHealth"));
  if (dashboardToken === undefined) skip("dashboard token", "no --dashboard-token-file");
  else {
    const part = "the token's issuer: jwtIssuer, jwtAudience, jwtJwksUrl";
    await step("dashboard token", part, () => checkDashboardToken(smoke, dashboardToken), same);
  }
  const key = await step("key", "api-keys", () => makeKey(smoke));
  const desktop = await connect(smoke, step, key);
  await step("list", "table's indexes", () => findInList(smoke, desktop));
  await step("scroll", "computer: its grant to post to connections", () => scroll(smoke, desktop));
  const file = await step("upload", "computer, bucket", () => uploadFile(smoke, desktop));
  await step("download", "computer, bucket", () => downloadFile(smoke, desktop, file));
  if (origin === undefined) skip("page", "no --origin");
  else await step("page", "HTTP API's CORS", () => checkPageMayCall(smoke, origin));
  const pin = await step("secret", "machines, secrets", () => keepSecret(smoke, desktop));
  await step("webhook", "webhooks", () => receiveWebhook(smoke, desktop), same);
  await run(smoke, step, desktop, { text: "{$pin}", typed: pin });
};

/** Its key needs the scopes `read` and `write` alone, and it makes no secret. */
export const smallestRun: TrySteps = async (smoke, step) => {
  const desktop = await connect(smoke, step, smoke.adminKey);
  await run(smoke, step, desktop, { text: smoke.name, typed: smoke.name });
};

async function connect(smoke: Smoke, step: Step, key: string): Promise<SmokeDesktop> {
  const noteOf = ({ machineId }: SmokeDesktop) => `machine ${machineId}`;
  return await step("desktop", "driver, machines", () => connectDesktop(smoke, key), noteOf);
}

async function run(smoke: Smoke, step: Step, desktop: SmokeDesktop, typing: Typing): Promise<void> {
  await step("run", "runs, trajectories, workflows", () => replayRun(smoke, desktop, typing), same);
}

function same(note: string): string {
  return note;
}

import type { OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import { requestText } from "./operation-text.ts";

/** A rule that depends on more than the body, and the words that the document has for it. */
interface SaidRule {
  readonly refused: RegExp;
  readonly said: string;
  readonly by: readonly string[];
}

const workflows = ["createWorkflow", "updateWorkflow"];
const trajectories = ["createTrajectory", "updateTrajectory"];
const schedules = ["createSchedule", "updateSchedule"];
const runs = [
  "createRun",
  "createRuns",
  "createChain",
  "updateRun",
  "retryRun",
  "verifyTrajectory",
  ...schedules,
];

export const saidRules: readonly SaidRule[] = [
  {
    refused: /one of its names cannot be used/,
    said: "No name in it is `__proto__`.",
    by: ["createMachine"],
  },
  { refused: /clearing the reservation/, said: "False is refused beside", by: ["updateMachine"] },
  { refused: /exclude each other/, said: "a workflow with both is refused", by: workflows },
  { refused: /fallbacks need/, said: "they need that field", by: workflows },
  { refused: /is no fallback of itself/, said: "are others than it", by: workflows },
  { refused: /is no usable JSON Schema|schema_too_slow/, said: "which can be used", by: workflows },
  { refused: /together take at most 300000 bytes/, said: "together take at most 300,000", by: workflows },
  { refused: /cannot be replayed|of expect/, said: "each is an object that it can replay", by: trajectories },
  { refused: /stood on the recorded screen/, said: "that stood on the recorded", by: ["verifyTrajectory"] },
  { refused: /expires_at is in the future/, said: "it must be in the future", by: ["createApiKey"] },
  { refused: /the slot \w+ takes/, said: "any other is 422", by: ["setProviderCredential"] },
  { refused: /two tags of the group/, said: "at most one of each group", by: ["assignTags"] },
  {
    refused: /organization of the credential/,
    said: "that of the credentials",
    by: ["createConnectionToken"],
  },
  { refused: /it is no /, said: "a PNG, JPEG, GIF or WebP", by: ["createPromptImage"] },
  {
    refused: /https|address/,
    said: "an address that is not public is refused",
    by: ["createWebhookEndpoint"],
  },
  { refused: /run is one of another workflow/, said: "A run of the workflow", by: ["createTrajectory"] },
  {
    refused: /pairs/,
    said: "At most 20 pairs",
    by: ["updateMachine", "updateWorkflow", "updateRun", "updateSchedule"],
  },
  { refused: /there is no time zone/, said: "by its name in the IANA database", by: schedules },
  { refused: /the cron pattern/, said: "in the five fields of cron", by: schedules },
  { refused: /is a secret of the workflow/, said: "is a secret, and refused", by: schedules },
  { refused: /exclude each other; send null/, said: "only beside", by: ["updateSchedule"] },
  { refused: /ends_at is later/, said: "`ends_at` is later than `starts_at`.", by: ["updateSchedule"] },
  { refused: /a schedule has times/, said: "keeps one of the two", by: ["updateSchedule"] },
  { refused: /bytes of JSON/, said: "of JSON", by: runs },
  {
    refused: /only the holder of a recording/,
    said: "while the caller records the machine",
    by: ["typeText", "writeFile"],
  },
];

/** Returns those of the reasons for which a body was refused that the document does not name. */
export function unsaidReasons(document: OpenApiDocument, id: string, reasons: readonly string[]) {
  const text = requestText(document, id);
  return reasons.filter(
    (reason) => !saidRules.some(({ refused, said }) => refused.test(reason) && text.includes(said)),
  );
}

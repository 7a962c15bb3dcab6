import type { Operation } from "../../../shared/contract/operations/operation.ts";

type NamedOperation = Pick<Operation, "id" | "method" | "path" | "tag">;

export interface CommandName {
  readonly noun: string;
  readonly verb: string;
}

/** Nouns that are not the first part of the path. */
const nounsByPart: Readonly<Record<string, string>> = {
  computer: "machines",
  "workflow-tags": "tags",
  "workflow-tag-groups": "tag-groups",
  "model-configurations": "models",
  "provider-credentials": "providers",
  "run-attachments": "attachments",
  "api-keys": "keys",
  "webhook-endpoints": "webhooks",
  "request-logs": "logs",
  "audit-events": "audit",
};

const nounsByTag: Readonly<Record<string, string>> = {
  "Prompt images": "prompt-images",
  Driver: "driver",
  Documentation: "docs",
  Console: "console",
  Assistants: "assistants",
  Health: "health",
};

/** A word of an id that its path says already. */
const wordsSaid: Readonly<Record<string, readonly string[]>> = { computer: ["mouse"] };

/** Verbs that people expect, where the id's words would be longer or say less. */
const verbsById: Readonly<Record<string, string>> = {
  shutDownDriver: "shutdown",
  takeScreenshot: "screenshot",
  typeText: "type",
  pressKeys: "key",
  openProgram: "open",
  copyToClipboard: "copy",
  performBatch: "batch",
  executeCommand: "exec",
  createRuns: "create-many",
  listTagsOfWorkflow: "tags",
  listRecordedSteps: "steps",
  getRecordedScreenshot: "step-screenshot",
  runSchedule: "run-now",
  redeliverWebhookDelivery: "redeliver",
  addMachinesToPool: "add-machines",
  removeMachinesFromPool: "remove-machines",
};

/** `machines list` of `listMachines`: the noun of the path, and what the id says beyond it. */
export function commandNameOf({ id, method, path, tag }: NamedOperation): CommandName {
  const part = path.split("/").find((each) => each !== "" && each !== "v1") ?? "";
  const named = nounsByTag[tag];
  const noun = named ?? nounsByPart[part] ?? part;
  const nounWords = [...(named ?? part).split("-"), ...(wordsSaid[part] ?? [])];
  const said = new Set(nounWords.flatMap((word) => [word, singular(word)]));
  const words = id.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  const [first = "", ...rest] = words;
  const others = rest.filter((word) => !said.has(word));
  const isPlainRead = method === "GET" && (first === "list" || first === "get") && others.length > 0;
  return { noun, verb: verbsById[id] ?? (isPlainRead ? others : [first, ...others]).join("-") };
}

function singular(word: string): string {
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/s$/, "");
}

import { executors, leaves, onHoldTimeouts, replays } from "../../../../../shared/vocabulary/workflows.ts";
import type { EditedField } from "./workflow-draft.ts";

export interface SettingField {
  readonly field: EditedField;
  readonly label: string;
  readonly hint?: string;
  readonly kind: "choice" | "boolean" | "number";
  /** Of a choice: each with what it means. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
  /** Of a number: empty is no bound. */
  readonly isOptional?: boolean;
}

export interface SettingGroup {
  readonly title: string;
  readonly fields: readonly SettingField[];
}

function choices<Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>) {
  return values.map((value) => [value, words[value]] as const);
}

export const settingGroups: readonly SettingGroup[] = [
  {
    title: "How runs are carried out",
    fields: [
      {
        field: "executor",
        label: "Carried out by",
        kind: "choice",
        choices: choices(executors, { service: "the service", worker: "a worker of your own" }),
      },
      {
        field: "replay",
        label: "Recording",
        kind: "choice",
        choices: choices(replays, {
          auto: "replay it; where the screen differs a model helps",
          only: "replay it; never ask a model",
          never: "do not replay it; a model does everything",
        }),
      },
      {
        field: "leave",
        label: "Afterwards the desktop",
        kind: "choice",
        choices: choices(leaves, { as_is: "stays as it is", reset: "is led back to the first screen" }),
      },
      {
        field: "on_hold_timeout",
        label: "If nobody resumes a held run in time",
        kind: "choice",
        choices: choices(onHoldTimeouts, { fail: "it fails", resume: "it goes on by itself" }),
      },
    ],
  },
  {
    title: "What runs may do",
    fields: [
      {
        field: "may_ask",
        label: "Hold the run to ask a person, who answers on the run's page",
        kind: "boolean",
      },
      {
        field: "allow_shell",
        label: "Shell commands, and files outside of ~/Transfers",
        kind: "boolean",
      },
      { field: "keep_screenshots", label: "Keep the pictures of steps", kind: "boolean" },
      {
        field: "includes_file_exports",
        label: "Keep the files that a run leaves in {exports}",
        kind: "boolean",
      },
      { field: "is_webhooks_enabled", label: "Send events to the webhooks", kind: "boolean" },
    ],
  },
  {
    title: "How much a run may take",
    fields: [
      { field: "max_steps", label: "Steps", kind: "number" },
      { field: "max_duration_seconds", label: "Seconds", kind: "number" },
      {
        field: "max_tokens",
        label: "Tokens",
        hint: "Of all calls to models together. Empty: no bound.",
        kind: "number",
        isOptional: true,
      },
    ],
  },
];

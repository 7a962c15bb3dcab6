import type { CoveredProvider } from "../../vocabulary/providers.ts";
import { choiceDefaults, configurationDefaults, type ModelConfiguration } from "./model-configuration.ts";

/** All their ids begin with this, and no other id does: a UUID of version 7 has random digits there. */
const idPrefix = "01a2008d-7400-7000-8000-";

const since = "2026-11-22T00:00:00.000Z";

const inTheUsa = "In Regions of the USA.";

/** A row has an id's last digits, which never change and are never reused, name, provider, model, description. */
const rows: readonly (readonly [number, string, CoveredProvider, string, string])[] = [
  [1, "Claude Opus 5.5", "anthropic", "claude-opus-5-5", "For long and unfamiliar tasks."],
  [2, "Claude Sonnet 5.5", "anthropic", "claude-sonnet-5-5", "For most tasks."],
  [3, "Claude Haiku 5.5", "anthropic", "claude-haiku-5-5", "For short and plain tasks."],
  [4, "GPT-6.1 Sol", "openai", "gpt-6.1-sol", "For long and unfamiliar tasks."],
  [5, "GPT-6.1 Terra", "openai", "gpt-6.1-terra", "For most tasks."],
  [6, "GPT-6 Luna", "openai", "gpt-6-luna", "For short and plain tasks."],
  [7, "Gemini 4 Carbon", "google", "gemini-4-carbon", "For long and unfamiliar tasks."],
  [8, "Gemini 3.8 Flash", "google", "gemini-3.8-flash", "For short and plain tasks."],
  [9, "Gemini 4 Carbon on Vertex AI", "google_vertex", "gemini-4-carbon", "With a service account."],
  [10, "Gemini 3.8 Flash on Vertex AI", "google_vertex", "gemini-3.8-flash", "With a service account."],
  [11, "Claude Opus 5.5 on Bedrock", "aws_bedrock", "us.anthropic.claude-opus-5-5", inTheUsa],
  [12, "Claude Sonnet 5.5 on Bedrock", "aws_bedrock", "us.anthropic.claude-sonnet-5-5", inTheUsa],
];

/** The service's own configurations, the same for every organization. Workflows may still name a withdrawn one. */
export const systemConfigurations: readonly ModelConfiguration[] = rows.map(
  ([number, name, provider, model, description]) => ({
    id: `${idPrefix}${String(number).padStart(12, "0")}`,
    organizationId: null,
    name,
    provider,
    model,
    ...configurationDefaults,
    description,
    ...choiceDefaults,
    createdAt: since,
    updatedAt: since,
  }),
);

/** True if the configuration is, or was, one of the service's own. */
export function isSystemId(id: string): boolean {
  return id.startsWith(idPrefix);
}

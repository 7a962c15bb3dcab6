import { createAnthropic } from "@ai-sdk/anthropic";
import type { Tool } from "ai";
import type { Size } from "../../domain/picture/picture.ts";
import { apiKeyOf } from "../api-key.ts";
import { type ComputerTool, computerToolOf } from "../models-by-name.ts";
import type { Connect } from "../provider-model.ts";

export const connect: Connect = ({ request, http, addresses }) => {
  const apiKey = apiKeyOf(request.key);
  const baseURL = addresses.anthropic ?? "https://api.anthropic.com/v1";
  const provider = createAnthropic({
    apiKey,
    baseURL,
    fetch: http.only(baseURL, "/messages"),
  });
  return {
    model: provider(request.choice.model),
    options: { anthropic: { disableParallelToolUse: true } },
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
    optional: "absent",
    computer: computerTool(provider.tools, computerToolOf(request.choice), request.display),
    secrets: [apiKey],
  };
};

function computerTool(
  tools: ReturnType<typeof createAnthropic>["tools"],
  version: ComputerTool | undefined,
  { width, height }: Size,
): Tool | undefined {
  const display = { displayWidthPx: width, displayHeightPx: height };
  if (version === "computer_20251124") return tools.computer_20251124({ ...display, enableZoom: true });
  if (version === "computer_20250124") return tools.computer_20250124(display);
  return version === undefined ? undefined : tools.computerToolset_20260801({});
}
